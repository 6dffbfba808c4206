import {
  type Application,
  resourceApplication,
} from '../../../sandbox/identity-provider/people-and-applications.js';
import { passwordGrant } from '../../../sandbox/identity-provider/person-grants.js';
import { clientCredentialsGrant } from '../../../sandbox/identity-provider/client-credentials.js';
import type { IdentityProviderContext } from '../../../sandbox/identity-provider/context.js';

const shop: Application = {
  id: 's',
  appId: '11111111-1111-4111-8111-111111111111',
  groupMembershipClaims: 'All',
};
const script: Application = { id: 'c', appId: '22222222-2222-4222-8222-222222222222' };
const directory = {
  application: (appId: string) =>
    Promise.resolve([shop, script].find((each) => each.appId === appId)),
  applicationAt: (origin: string) =>
    Promise.resolve(origin === 'https://shop.localhost:8443' ? shop : undefined),
  servicePrincipal: () => Promise.resolve(undefined),
};

test.each([
  [shop.appId, shop],
  [`api://${shop.appId}`, shop],
  ['https://shop.localhost:8443', shop],
  ['https://shop.localhost:8443/mcp', shop],
  ['https://graph.microsoft.com', undefined],
  ['api://something-else', undefined],
  ['not an address', undefined],
])(
  'a token for %s is for the application with this id or address',
  async (audience, application) => {
    expect(await resourceApplication(directory, audience)).toBe(application);
  },
);

/**
 * @claim token-groups: groupMembershipClaims of a registration decide which groups its tokens
 *   have.
 * @source https://learn.microsoft.com/entra/identity-platform/optional-claims
 */
test('another program gets a token with the groups that the app requests, and for itself one without', async () => {
  const signedClaims: Record<string, unknown>[] = [];
  const context = {
    origin: 'https://localhost:1',
    settings: { tenantId: 't', clientId: 'own' },
    key: {
      sign: (claims: Record<string, unknown>) => Promise.resolve(String(signedClaims.push(claims))),
    },
    directory: {
      ...directory,
      personEvenIfDisabled: () => Promise.resolve({ id: 'ada' }),
      noTokenReasonOf: () => Promise.resolve(undefined),
      rolesOf: () => Promise.resolve([]),
      membershipsOf: () =>
        Promise.resolve([{ '@odata.type': '#microsoft.graph.group', id: 'shoppers' }]),
    },
  } as unknown as IdentityProviderContext;
  const credentials = { client_id: script.appId, username: 'ada', password: 'any' };
  expect(
    (
      await passwordGrant(
        context,
        { ...credentials, scope: `openid api://${shop.appId}/user_impersonation` },
        () => Promise.resolve('refresh-token'),
      )
    ).status,
  ).toBe(200);
  const [access, identity] = signedClaims;
  expect(access).toMatchObject({
    aud: `api://${shop.appId}`,
    azp: script.appId,
    groups: ['shoppers'],
  });
  expect(identity).toMatchObject({ aud: script.appId });
  expect(identity).not.toHaveProperty('groups');
});

test.each([
  ['22222222-2222-4222-8222-222222222222', 401, 'invalid_client', 7000215],
  ['33333333-3333-4333-8333-333333333333', 400, 'unauthorized_client', 700016],
])('client credentials of %s with a wrong secret get %i %s', async (id, status, error, code) => {
  const context = {
    settings: { clientId: 'own' },
    checkSecret: () => Promise.resolve(false),
    directory,
  } as unknown as IdentityProviderContext;
  const form = { client_id: id, client_secret: 'wrong', scope: 'api://shop/.default' };
  expect(await clientCredentialsGrant(context, form)).toMatchObject({
    status,
    body: { error, error_codes: [code] },
  });
});
