import { browser } from '../support/raw-client.js';
import type { Effect, SidecarFixture } from './sidecar-fixture.js';

/**
 * A provider of the configuration with a registration that works, and how a sign-in by it is
 * completed.
 */
interface ProviderCase {
  readonly key: string;
  readonly pathName: string;
  readonly registration: Readonly<Record<string, string>>;
  /** What its client id and the name of its secret are called. */
  readonly id: string;
  readonly secret: string;
  readonly callback?: (location: URL) => string;
}

const client = { clientId: 'client-1', clientSecretSettingName: 'directory-secret' };
const ids = { id: 'clientId', secret: 'clientSecretSettingName' };
const callbackWithCode = (pathName: string) => (location: URL) =>
  `/.auth/login/${pathName}/callback?code=good&state=${location.searchParams.get('state') ?? ''}`;
const providerCases: readonly ProviderCase[] = [
  { key: 'azureActiveDirectory', pathName: 'directory', registration: client, ...ids },
  { key: 'legacyMicrosoftAccount', pathName: 'personal', registration: client, ...ids },
  { key: 'google', pathName: 'search', registration: client, ...ids },
  { key: 'apple', pathName: 'apple', registration: client, ...ids },
  {
    key: 'facebook',
    pathName: 'social',
    registration: { appId: 'social-app', appSecretSettingName: 'oauth-secret' },
    id: 'appId',
    secret: 'appSecretSettingName',
    callback: callbackWithCode('social'),
  },
  {
    key: 'gitHub',
    pathName: 'codehost',
    registration: { clientId: 'code-app', clientSecretSettingName: 'oauth-secret' },
    ...ids,
    callback: callbackWithCode('codehost'),
  },
  {
    key: 'twitter',
    pathName: 'microblog',
    registration: { consumerKey: 'micro-app', consumerSecretSettingName: 'consumer-secret' },
    id: 'consumerKey',
    secret: 'consumerSecretSettingName',
    callback: (location) =>
      `/.auth/login/microblog/callback?oauth_token=${location.searchParams.get('oauth_token') ?? ''}&oauth_verifier=verified`,
  },
];

function configureProvider(
  fixture: SidecarFixture,
  { key, registration }: ProviderCase,
  settings: Record<string, unknown> = {},
  registrationChanges: object = {},
): void {
  const issuer = key === 'azureActiveDirectory' ? { openIdIssuer: fixture.idp.url } : {};
  fixture.configure({
    globalValidation: { unauthenticatedClientAction: 'Return401' },
    identityProviders: {
      [key]: { ...settings, registration: { ...registration, ...issuer, ...registrationChanges } },
    },
  });
}

/** What every provider's `enabled`, client id and secret do. */
function commonEffects(kind: ProviderCase): Effect[] {
  const { key, pathName, id, secret, callback } = kind;
  return [
    [
      `identityProviders.${key}.enabled`,
      async (fixture) => {
        for (const [enabled, status] of [
          [true, 302],
          [false, 404],
        ] as const) {
          configureProvider(fixture, kind, { enabled });
          expect((await fixture.get(`/.auth/login/${pathName}`, browser)).status).toBe(status);
        }
      },
    ],
    [
      `identityProviders.${key}.registration.${id}`,
      async (fixture) => {
        configureProvider(fixture, kind, {}, { [id]: 'another-client' });
        const location = await fixture.location(pathName);
        if (key === 'twitter') expect(fixture.doubles.consumerKeys.at(-1)).toBe('another-client');
        else expect(location.searchParams.get('client_id')).toBe('another-client');
      },
    ],
    [
      `identityProviders.${key}.registration.${secret}`,
      async (fixture) => {
        configureProvider(fixture, kind);
        expect((await fixture.signIn(pathName, callback)).callbackAnswer.status).toBe(302);
        configureProvider(fixture, kind, {}, { [secret]: 'wrong-secret' });
        if (key === 'twitter')
          expect((await fixture.get(`/.auth/login/${pathName}`, browser)).status).toBe(502);
        else expect((await fixture.signIn(pathName, callback)).callbackAnswer.status).toBe(401);
      },
    ],
  ];
}

const scopeCases: readonly (readonly [string, readonly string[], string])[] = [
  ['legacyMicrosoftAccount', ['wl.basic'], 'openid profile wl.basic'],
  ['google', ['profile', 'calendar'], 'openid profile calendar'],
  ['apple', ['name'], 'openid name'],
  ['facebook', ['email', 'user_friends'], 'email,user_friends'],
  ['gitHub', ['read:user', 'repo'], 'read:user repo'],
];

const providerCase = (key: string): ProviderCase =>
  providerCases.find((each) => each.key === key) as ProviderCase;

/** Who may come in: a posted token is taken or refused as the directory's setting says. */
const admitsByClaims =
  (setting: object, claims: Record<string, unknown>, refusedStatus: number): Effect[1] =>
  async (fixture) => {
    const post = async (tokenClaims: Record<string, unknown>): Promise<number> =>
      (await fixture.post('directory', { access_token: await fixture.idp.sign(tokenClaims) }))
        .status;
    fixture.configureWithDirectory({}, { validation: setting });
    expect(await post(claims)).toBe(200);
    const otherClaims = Object.fromEntries(
      Object.keys(claims).map((name) => [name, name === 'groups' ? ['none'] : 'none']),
    );
    expect(await post(otherClaims)).toBe(refusedStatus);
  };

/** What each property of the named providers does. */
export const providerEffects: readonly Effect[] = [
  ...providerCases.flatMap(commonEffects),
  ...scopeCases.map(([key, scopes, expected]): Effect => [
    `identityProviders.${key}.login.scopes`,
    async (fixture) => {
      configureProvider(fixture, providerCase(key), { login: { scopes } });
      expect((await fixture.location(providerCase(key).pathName)).searchParams.get('scope')).toBe(
        expected,
      );
    },
  ]),
  ...['google', 'legacyMicrosoftAccount'].map((key): Effect => [
    `identityProviders.${key}.validation.allowedAudiences`,
    async (fixture) => {
      const id_token = await fixture.idp.sign({ aud: 'of-another-app' });
      for (const [validation, status] of [
        [{}, 401],
        [{ allowedAudiences: ['of-another-app'] }, 200],
      ] as const) {
        configureProvider(fixture, providerCase(key), { validation });
        expect(
          (
            await fixture.post(providerCase(key).pathName, {
              id_token,
              authentication_token: id_token,
            })
          ).status,
        ).toBe(status);
      }
    },
  ]),
  [
    'identityProviders.azureActiveDirectory.login.disableWWWAuthenticate',
    async (fixture) => {
      for (const disableWWWAuthenticate of [false, true]) {
        fixture.configureWithDirectory({}, { login: { disableWWWAuthenticate } });
        expect((await fixture.get()).headers['www-authenticate'] === undefined).toBe(
          disableWWWAuthenticate,
        );
      }
    },
  ],
  [
    'identityProviders.azureActiveDirectory.login.loginParameters',
    async (fixture) => {
      fixture.configureWithDirectory(
        {},
        { login: { loginParameters: ['domain_hint=corp.example', 'scope=openid offline_access'] } },
      );
      const { searchParams } = await fixture.location();
      expect([searchParams.get('domain_hint'), searchParams.get('scope')]).toEqual([
        'corp.example',
        'openid offline_access',
      ]);
    },
  ],
  [
    'identityProviders.azureActiveDirectory.registration.openIdIssuer',
    async (fixture) => {
      fixture.configureWithDirectory({}, { registration: { openIdIssuer: fixture.otherIdp.url } });
      expect((await fixture.location()).origin).toBe(fixture.otherIdp.url);
      expect(
        (await fixture.post('directory', { access_token: await fixture.idp.sign({}) })).status,
      ).toBe(401);
      expect(
        (await fixture.post('directory', { access_token: await fixture.otherIdp.sign({}) })).status,
      ).toBe(200);
    },
  ],
  [
    'identityProviders.azureActiveDirectory.validation.allowedAudiences',
    admitsByClaims(
      { allowedAudiences: ['https://api.example'] },
      { aud: 'https://api.example' },
      401,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedApplications',
    admitsByClaims(
      { defaultAuthorizationPolicy: { allowedApplications: ['caller'] } },
      { azp: 'caller' },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedPrincipals.groups',
    admitsByClaims(
      { defaultAuthorizationPolicy: { allowedPrincipals: { groups: ['g-1'] } } },
      { groups: ['g-0', 'g-1'] },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedPrincipals.identities',
    admitsByClaims(
      { defaultAuthorizationPolicy: { allowedPrincipals: { identities: ['person-1'] } } },
      { oid: 'person-1' },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.jwtClaimChecks.allowedClientApplications',
    admitsByClaims(
      { jwtClaimChecks: { allowedClientApplications: ['caller'] } },
      { appid: 'caller' },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.jwtClaimChecks.allowedGroups',
    admitsByClaims({ jwtClaimChecks: { allowedGroups: ['g-1'] } }, { groups: ['g-1'] }, 403),
  ],
];
