import { testRule } from '../support/test-rule.js';
import { people, signIn } from '../support/stacks.js';

testRule('auth-registration-agrees', {
  finds: [
    [
      'sign-in for every tenant',
      signIn(
        'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: common } }',
      ),
    ],
    [
      'a tenant that the issuer contradicts',
      signIn(
        'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://login.microsoftonline.com/33333333-1111-1111-1111-111111111111/v2.0" } }',
      ),
    ],
    [
      'a tenant that only the query of the issuer names',
      signIn(
        'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://login.microsoftonline.com/other/v2.0?22222222-1111-1111-1111-111111111111" } }',
      ),
    ],
    [
      'the issuer of somebody else, with the tenant in its path',
      signIn(
        'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://evil.example/22222222-1111-1111-1111-111111111111/v2.0" } }',
      ),
    ],
    [
      'a host that begins like that of the directory',
      signIn(
        'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://login.microsoftonline.com.evil.example/22222222-1111-1111-1111-111111111111/v2.0" } }',
      ),
    ],
    [
      'a registration that issues no ID tokens',
      signIn(
        'providers: { directory: { registration: l } }',
        'registrations: { l: { displayName: L, idTokens: false } }',
      ),
    ],
    [
      'a registration for several tenants',
      signIn(
        'providers: { directory: { registration: l } }',
        'registrations: { l: { displayName: L, signInAudience: AzureADMultipleOrgs } }',
      ),
    ],
    [
      "a callback below another prefix than the app's",
      signIn(
        'routes: { apiPrefix: /signin }\nproviders: { directory: { registration: l } }',
        'registrations: { l: { displayName: L, redirectUris: ["https://shop.example/.auth/login/aad/callback"] } }',
      ),
    ],
    [
      'allowed groups, and tokens without groups',
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [g] } }',
        'registrations: { l: { displayName: L, groupMembershipClaims: [None] } }\ngroups: { g: { kind: security, displayName: G } }',
      ),
    ],
  ],
  passes: [
    [
      'the issuer of the tenant',
      signIn(
        'providers: { directory: { allowedPrincipals: [ada], clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://login.microsoftonline.com/22222222-1111-1111-1111-111111111111/v2.0" } }',
        people,
      ),
    ],
    [
      'its older issuer',
      signIn(
        'providers: { directory: { allowedPrincipals: [ada], clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://sts.windows.net/22222222-1111-1111-1111-111111111111/" } }',
        people,
      ),
    ],
    [
      'that of customers',
      signIn(
        'providers: { directory: { allowedPrincipals: [ada], clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://contoso.ciamlogin.com/22222222-1111-1111-1111-111111111111/v2.0" } }',
        people,
      ),
    ],
    [
      'one on this machine',
      signIn(
        'providers: { directory: { allowedPrincipals: [ada], clientId: 11111111-1111-1111-1111-111111111111, clientSecret: "${env:S}", tenantId: 22222222-1111-1111-1111-111111111111, issuer: "https://localhost:9000/22222222-1111-1111-1111-111111111111/v2.0" } }',
        people,
      ),
    ],
  ],
});
