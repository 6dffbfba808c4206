import { maxGroupsInToken, personClaims } from '../../access/token-claims.js';
import type {
  Membership,
  Person,
} from '../../sandbox/identity-provider/people-and-applications.js';
import { clientMetadataOf } from '../../sandbox/identity-provider/clients.js';
import { resourceOf } from '../../sandbox/identity-provider/scopes.js';

const ada: Person = { id: 'a', displayName: 'Ada', userPrincipalName: 'ada@contoso.example' };
const group = (id: string, securityEnabled: boolean): Membership => ({
  '@odata.type': '#microsoft.graph.group',
  id,
  securityEnabled,
});
const memberships: Membership[] = [
  group('secure', true),
  group('unified', false),
  { '@odata.type': '#microsoft.graph.directoryRole', id: 'r', roleTemplateId: 'template' },
  { '@odata.type': '#microsoft.graph.administrativeUnit', id: 'u' },
];

test.each<[string | null, unknown]>([
  [null, undefined],
  ['None', undefined],
  ['DirectoryRole', undefined],
  ['SecurityGroup', ['secure']],
  ['All', ['secure', 'unified']],
  ['SecurityGroup, DirectoryRole', ['secure']],
  ['ApplicationGroup', ['secure', 'unified']],
])('groups are reported as the application asks for them: %s', (groupMembershipClaims, groups) => {
  expect(personClaims(ada, memberships, { groupMembershipClaims }, 't')['groups']).toEqual(groups);
});

test('a person is described as in the cloud, roles and guesthood included', () => {
  expect(
    personClaims({ ...ada, userType: 'Guest', mail: 'a@b' }, memberships, undefined, 't'),
  ).toEqual({
    oid: 'a',
    tid: 't',
    ver: '2.0',
    name: 'Ada',
    preferred_username: 'ada@contoso.example',
    upn: 'ada@contoso.example',
    email: 'a@b',
    acct: 1,
    wids: ['template'],
  });
});

test('with too many groups the token says where to ask', () => {
  const many = Array.from({ length: maxGroupsInToken + 1 }, (_, index) => group(`g${index}`, true));
  const claims = personClaims(ada, many, { groupMembershipClaims: 'All' }, 't');
  expect(claims['groups']).toBeUndefined();
  expect(claims['_claim_names']).toEqual({ groups: 'src1' });
});

test.each([
  ['openid profile', undefined],
  ['https://management.azure.com/user_impersonation', 'https://management.azure.com'],
  ['https://management.azure.com//.default', 'https://management.azure.com'],
  ['api://client/access', 'client'],
  ['client/.default', 'client'],
  ['openid api://other/read', 'api://other'],
])('the scope "%s" requests a token for %s', (scope, resource) => {
  expect(resourceOf(scope, 'client')).toBe(resource);
});

test('an application without a secret is a public client, and ID tokens from the front channel need its consent', () => {
  const publicClient = { id: 'i', appId: 'c', web: { redirectUris: ['https://x.localhost/cb'] } };
  expect(clientMetadataOf(publicClient)).toMatchObject({
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
  });
  const confidentialClient = {
    ...publicClient,
    passwordCredentials: [{}],
    web: { ...publicClient.web, implicitGrantSettings: { enableIdTokenIssuance: true } },
  };
  expect(clientMetadataOf(confidentialClient)).toMatchObject({
    token_endpoint_auth_method: 'client_secret_post',
    response_types: ['code', 'id_token', 'code id_token'],
  });
});
