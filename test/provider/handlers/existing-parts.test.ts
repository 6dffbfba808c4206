import { resources as azuread } from '../../../provider/handlers/azuread/index.js';
import type { FindCall } from '../../../provider/handlers/handler.js';
import type { ValueMap } from '../../../provider/values/value.js';

const id = '0b9d0c1e-1111-4222-8333-444455556666';
const api = '11111111-2222-4333-8444-555555555555';
const application = {
  id,
  identifierUris: ['api://shop'],
  isFallbackPublicClient: true,
  appRoles: [
    {
      id: 'r',
      allowedMemberTypes: ['Application', 'User'],
      description: 'May read',
      displayName: 'Reader',
      isEnabled: true,
      origin: 'Application',
      value: 'read',
    },
  ],
  api: { knownClientApplications: ['b', 'a'] },
  web: { redirectUris: ['https://b/', 'https://a/'] },
  optionalClaims: { accessToken: [], idToken: [{ name: 'email' }], saml2Token: [] },
  requiredResourceAccess: [
    {
      resourceAppId: api,
      resourceAccess: [
        { id: 's', type: 'Scope' },
        { id: 'r', type: 'Role' },
      ],
    },
  ],
};
const role = {
  role_id: 'r',
  allowed_member_types: ['User', 'Application'],
  description: 'May read',
  display_name: 'Reader',
  value: 'read',
};

test.each<[part: string, planned: ValueMap, differing: ValueMap, path: string]>([
  ['app_role', role, { value: 'write' }, 'appRoles/r'],
  [
    'identifier_uri',
    { identifier_uri: 'api://shop' },
    { identifier_uri: 'api://other' },
    `identifierUris/${Buffer.from('api://shop').toString('base64')}`,
  ],
  [
    'api_access',
    { api_client_id: api, role_ids: ['r'], scope_ids: ['s'] },
    { role_ids: [] },
    `apiAccess/${api}`,
  ],
  ['known_clients', { known_client_ids: ['a', 'b'] }, { known_client_ids: ['a'] }, 'knownClients'],
  [
    'optional_claims',
    {
      access_token: [],
      id_token: [{ name: 'email', source: null, essential: null, additional_properties: null }],
      saml2_token: [],
    },
    { id_token: [] },
    '',
  ],
  ['fallback_public_client', { enabled: true }, { enabled: false }, 'fallbackPublicClient'],
  [
    'redirect_uris',
    { type: 'Web', redirect_uris: ['https://a/', 'https://b/'] },
    { redirect_uris: ['https://a/'] },
    'redirectUris/Web',
  ],
])(
  'a killed creation of azuread_application_%s finds the part that is as planned',
  async (part, planned, differing, path) => {
    const find = (values: ValueMap): unknown =>
      azuread[`azuread_application_${part}`]?.findExisting?.({
        api: { directory: { applications: { find: () => Promise.resolve(application) } } },
        planned: { application_id: `/applications/${id}`, ...values },
        createdSince: new Date(),
        signal: new AbortController().signal,
      } as unknown as FindCall);
    expect(await find(planned)).toEqual({ id: `/applications/${id}${path && `/${path}`}` });
    expect(await find({ ...planned, ...differing })).toBeUndefined();
  },
);

test('a killed creation of a secret finds the only one of its name, and none of several', async () => {
  const start = '2026-01-01T12:00:00Z';
  const find = (...keyIds: readonly string[]): unknown => {
    const passwordCredentials = keyIds.map((keyId) => ({
      keyId,
      displayName: null,
      startDateTime: start,
    }));
    const found = Promise.resolve({ ...application, passwordCredentials });
    return azuread['azuread_application_password']?.findExisting?.({
      api: { directory: { applications: { find: () => found } } },
      planned: { application_id: `/applications/${id}`, display_name: null },
      createdSince: new Date(start),
      signal: new AbortController().signal,
    } as unknown as FindCall);
  };
  expect(await find('a')).toEqual({ id: `${id}/password/a`, key_id: 'a' });
  expect(await find('a', 'b')).toBeUndefined();
});
