import { policyInWords } from '../../../../sandbox/console/page/sign-in-policy.js';
import type { GroupView, PersonView } from '../../../../sandbox/console/console-data.js';

const group = (id: string, name: string): GroupView => ({
  id,
  name,
  kind: 'security',
  description: undefined,
  mail: undefined,
  mailNickname: undefined,
  visibility: undefined,
  rule: undefined,
  processing: undefined,
  createdAt: undefined,
  owners: [],
  members: [],
});
const ada: PersonView = {
  id: 'p1',
  name: 'Ada Lovelace',
  userPrincipalName: 'ada@contoso.example',
  department: undefined,
  enabled: true,
};
const directory = { groups: [group('g1', 'Shoppers'), group('g2', 'Admins')], people: [ada] };

/** The setting of a directory that lets in some groups and people. */
const lettingIn = (allowedPrincipals: object) => ({
  azureActiveDirectory: { validation: { defaultAuthorizationPolicy: { allowedPrincipals } } },
});
const words = (authSetting: Readonly<Record<string, unknown>>, auth = true): string =>
  policyInWords({ auth, authSetting }, directory);

describe('the policy of an app in a line', () => {
  it.each([
    [
      'the groups in the order of their names, and the public paths',
      {
        globalValidation: { excludedPaths: ['/healthz', '/metrics'] },
        identityProviders: lettingIn({ groups: ['g1', 'g2'] }),
      },
      'Sign-in required · Admins, Shoppers · /healthz, /metrics public',
    ],
    [
      'people whom it lets in by name, an unknown one by id',
      { identityProviders: lettingIn({ identities: ['p1', 'p2'] }) },
      'Sign-in required · Ada Lovelace, p2',
    ],
    [
      'anyone at another provider, beside the groups',
      {
        identityProviders: {
          ...lettingIn({ groups: ['g1'] }),
          gitHub: {},
          customOpenIdConnectProviders: { okta: {} },
        },
      },
      'Sign-in required · Shoppers or anyone at codehost or anyone at okta',
    ],
    [
      'only those of other providers, where the directory is none',
      { identityProviders: { gitHub: {} } },
      'Sign-in required · anyone at codehost',
    ],
    [
      'everybody of the directory, where it names none',
      { identityProviders: { azureActiveDirectory: {} } },
      'Sign-in required · everybody who can sign in',
    ],
    [
      'nobody without a provider',
      { identityProviders: {} },
      'Sign-in required · nobody: no provider is declared',
    ],
    [
      'what a path needs',
      {
        globalValidation: {
          requirements: [
            { path: '/admin', groups: ['g2'] },
            { path: '/vault', acrValues: ['mfa'] },
          ],
        },
        identityProviders: lettingIn({ groups: ['g1'] }),
      },
      'Sign-in required · Shoppers · /admin: Admins · /vault: more is needed',
    ],
    [
      'a sign-in that nobody needs',
      {
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
        identityProviders: lettingIn({ groups: ['g1'] }),
      },
      'Sign-in offered · Shoppers',
    ],
  ])('names %s', (_what, setting, expected) => {
    expect(words(setting)).toBe(expected);
  });

  it('says that an app without a sign-in is open', () => {
    expect(words({}, false)).toBe('No sign-in · open to everybody');
  });
});
