import { type Case, judgeAll } from './judge.js';

const app = (more: string, top = ''): string =>
  `containerApps:\n  shop:\n    image: ghcr.io/c/s:1.0.0\n    targetPort: 80\n    ingress: { external: true }\n${more
    .split('\n')
    .map((l) => '    ' + l)
    .join('\n')}\n${top}`;
const auth = (more: string, top = ''): string =>
  app(
    `auth:\n${more
      .split('\n')
      .map((l) => '  ' + l)
      .join('\n')}`,
    top,
  );
const dir = 'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}" } }';
const cases: readonly Case[] = [
  ['ok auth', auth(dir), ''],
  ['allowInsecure', auth(dir).replace('{ external: true }', '{ external: true, allowInsecure: true }'), 'auth-allow-insecure'],
  ['internal', auth(dir).replace('{ external: true }', '{ external: false }'), 'auth-external-ingress'],
  ['restrict enum', auth('restrictAccess: Require authentication\n' + dir), 'auth-access-action'],
  ['action enum', auth('unauthenticatedAction: return404\n' + dir), 'auth-access-action'],
  ['personal scopes', auth('providers: { personal: { clientId: a, clientSecret: "${env:S}", scopes: [openid] } }'), 'auth-personal-scope'],
  ['personal scopes ok', auth('providers: { personal: { clientId: a, clientSecret: "${env:S}", scopes: [openid, profile] } }'), ''],
  ['excluded wildcard within', auth('excludedPaths: [/a/*/b]\n' + dir), 'auth-excluded-paths'],
  ['excluded wildcard at the end', auth('excludedPaths: [/a/*]\n' + dir), ''],
  [
    'secret ends on no day',
    'registrations: { r: { displayName: R, secret: { expires: "2027-02-30T00:00:00Z" } } }',
    'registration-secret-expiry',
  ],
  ['secret ends on a leap day', 'registrations: { r: { displayName: R, secret: { expires: "2028-02-29T00:00:00Z" } } }', ''],
  ['provider typo', auth('providers: { directroy: { clientId: a } }'), 'property-unknown'],
  ['no provider', auth('providers: {}'), 'property-value'],
  [
    'oidc reserved',
    auth('providers: { openIdConnect: { google: { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" } } }'),
    'auth-open-id-provider',
  ],
  [
    'oidc bad name',
    auth('providers: { openIdConnect: { "a/b": { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" } } }'),
    'property-value',
  ],
  [
    'oidc two names by case',
    auth(
      'redirectTo: partner\nproviders: { openIdConnect: { partner: { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" }, Partner: { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" } } }',
    ),
    'auth-open-id-provider',
  ],
  ['external redirect js', auth(dir + '\nallowedExternalRedirectUrls: ["javascript://x"]'), 'auth-external-redirects'],
  ['external redirect http', auth(dir + '\nallowedExternalRedirectUrls: ["http://evil.example/"]'), 'auth-external-redirects'],
  ['external redirect wildcard', auth(dir + '\nallowedExternalRedirectUrls: ["https://*"]'), 'auth-external-redirects'],
  [
    'external redirect ok',
    auth(dir + '\nallowedExternalRedirectUrls: ["https://app.example/after", "myapp://done", "http://localhost:3000/"]'),
    '',
  ],
  ['session zero', auth(dir + '\ncookieExpiration: { timeToExpiration: "00:00:00" }'), 'auth-session-times'],
  [
    'session derived',
    auth(dir + '\ncookieExpiration: { convention: identityProviderDerived, timeToExpiration: "08:00:00" }'),
    'auth-session-times',
  ],
  ['session bad', auth(dir + '\ncookieExpiration: { timeToExpiration: "8h" }'), 'property-value'],
  ['nonce zero', auth(dir + '\nnonce: { expirationInterval: "00:00:00" }'), 'auth-session-times'],
  ['nonce off', auth(dir + '\nnonce: { validate: false }'), 'auth-nonce'],
  ['keys literal', auth(dir + '\nkeys: { signing: abcdef, encryption: abcdef }'), 'secret-literal'],
  ['keys half', auth(dir + '\nkeys: { signing: "${env:A}" }'), 'property-required'],
  [
    'token store shared keys',
    app('replicas: { min: 2, max: 4 }\nauth: { ' + dir + ', tokenStore: { enabled: true, blobStorage: { sasUrl: "${env:A}" } } }'),
    'auth-shared-state',
  ],
  [
    'token store of an app that may run several',
    app('replicas: { max: 4 }\nauth: { ' + dir + ', tokenStore: { enabled: true, blobStorage: { sasUrl: "${env:A}" } } }'),
    'auth-shared-state',
  ],
  [
    'tenant common',
    auth('providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: common } }'),
    'auth-registration-agrees',
  ],
  [
    'tenant vs issuer',
    auth(
      'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://login.microsoftonline.com/33333333-1111-1111-1111-111111111111/v2.0" } }',
    ),
    'auth-registration-agrees',
  ],
  [
    'reg idTokens',
    auth('providers: { directory: { registration: l } }', 'registrations: { l: { displayName: L, idTokens: false } }'),
    'auth-registration-agrees',
  ],
  [
    'reg audience',
    auth('providers: { directory: { registration: l } }', 'registrations: { l: { displayName: L, signInAudience: AzureADMultipleOrgs } }'),
    'auth-registration-agrees',
  ],
  [
    'reg redirect wrong word',
    auth(
      'providers: { directory: { registration: l } }',
      'registrations: { l: { displayName: L, redirectUris: ["https://shop.example/.auth/login/google/callback"] } }',
    ),
    'registration-redirect-uris',
  ],
  [
    'reg redirect no callback',
    auth(
      'providers: { directory: { registration: l } }',
      'registrations: { l: { displayName: L, redirectUris: ["https://shop.example/.auth/login/aad"] } }',
    ),
    'registration-redirect-uris',
  ],
  [
    'reg redirect prefix',
    auth(
      'routes: { apiPrefix: /signin }\nproviders: { directory: { registration: l } }',
      'registrations: { l: { displayName: L, redirectUris: ["https://shop.example/.auth/login/aad/callback"] } }',
    ),
    'auth-registration-agrees',
  ],
  [
    'reg secret past',
    auth(
      'providers: { directory: { registration: l } }',
      'registrations: { l: { displayName: L, secret: { expires: "2026-01-01T00:00:00Z" } } }',
    ),
    'registration-secret-expiry',
  ],
  [
    'reg claims none w/ groups',
    auth(
      'providers: { directory: { registration: l, allowedGroups: [g] } }',
      'registrations: { l: { displayName: L, groupMembershipClaims: [None] } }\ngroups: { g: { kind: security, displayName: G } }',
    ),
    'auth-registration-agrees',
  ],
  [
    'allowed missing',
    auth('providers: { directory: { registration: l, allowedGroups: [nope] } }', 'registrations: { l: { displayName: L } }'),
    'reference-exists',
  ],
  [
    'allowed role assignable',
    auth(
      'providers: { directory: { registration: l, allowedGroups: [g] } }',
      'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, isAssignableToRole: true } }',
    ),
    'auth-role-assignable-group',
  ],
  [
    'allowed principal device',
    auth(
      'providers: { directory: { registration: l, allowedPrincipals: [d] } }',
      'registrations: { l: { displayName: L } }\nprincipals: { d: { device: D } }',
    ),
    'auth-allowed-principals',
  ],
  [
    'allowed principal is group',
    auth(
      'providers: { directory: { registration: l, allowedPrincipals: [d] } }',
      'registrations: { l: { displayName: L } }\nprincipals: { d: { group: D } }',
    ),
    'auth-allowed-principals',
  ],
  ['reg owner device', 'registrations: { l: { displayName: L, owners: [d] } }\nprincipals: { d: { device: D } }', 'registration-owners'],
  [
    'reg owner twice',
    'registrations: { l: { displayName: L, owners: [d, d] } }\nprincipals: { d: { user: a@b.c } }',
    'registration-owners',
  ],
  [
    'reg roles dup',
    'registrations: { l: { displayName: L, appRoles: [ { id: 11111111-1111-1111-1111-111111111111, displayName: a, description: b, value: x, allowedMemberTypes: [User] }, { id: 11111111-1111-1111-1111-111111111111, displayName: a, description: b, value: x, allowedMemberTypes: [User] } ] } }',
    'registration-roles',
  ],
  ['reg logout', 'registrations: { l: { displayName: L, logoutUrl: "ftp://x" } }', 'registration-urls'],
  ['reg homepage', 'registrations: { l: { displayName: L, homepageUrl: "nonsense" } }', 'registration-urls'],
  ['excluded all', auth(dir + '\nexcludedPaths: ["/*"]'), 'auth-excluded-paths'],
  ['excluded dots', auth(dir + '\nexcludedPaths: ["/a/../*"]'), 'auth-excluded-paths'],
  ['excluded //', auth(dir + '\nexcludedPaths: ["//"]'), 'auth-excluded-paths'],
  ['excluded auth case', auth(dir + '\nexcludedPaths: ["/.AUTH/*"]'), 'auth-excluded-paths'],
  ['prefix collides', auth(dir + '\nroutes: { apiPrefix: /healthz }\nexcludedPaths: ["/healthz"]'), 'auth-excluded-paths'],
  ['transport tcp', auth(dir).replace('{ external: true }', '{ external: true, transport: tcp }'), 'auth-allow-insecure'],
  ['social no version', auth('providers: { social: { appId: a, appSecret: plain } }'), 'secret-literal'],
  [
    'cors star cred',
    app('').replace('{ external: true }', '{ external: true, cors: { allowedOrigins: ["*"], allowCredentials: true } }'),
    'app-cors',
  ],
  [
    'ip cidr bad',
    app('').replace('{ external: true }', '{ external: true, ipRestrictions: [ { name: a, action: allow, range: 999.1.1.1/99 } ] }'),
    'app-ip-restrictions',
  ],
];

describe('what the document on the sign-in layer says', () => judgeAll(cases));
