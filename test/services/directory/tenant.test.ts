import { id, person, securityGroup, TestDirectory, user } from './support/directory.js';

const sku = '05e9a617-0261-4cee-bb44-138d3ef5d965';
let directory: TestDirectory;
beforeAll(async () => {
  directory = await TestDirectory.start({
    dialect: 'azure',
    seed: { users: [user(id(1)), user(id(2))] },
  });
});
afterAll(() => directory.stop());

/**
 * @claim organization: The organization is the tenant of the token.
 * @source https://learn.microsoft.com/graph/api/organization-get
 * @seen azuread
 */
test('the organization is the tenant of the token, with its verified domains', async () => {
  const as = person(id(1), ['User.Read']);
  const { body } = await directory.get('/organization', { as });
  expect(body['@odata.context']).toMatch(/\$metadata#organization$/);
  expect(body.value).toMatchObject([
    {
      id: as.tenantId,
      displayName: 'Castellan',
      tenantType: 'AAD',
      businessPhones: [],
      verifiedDomains: [{ name: 'castellan.example', isDefault: true, type: 'Managed' }],
    },
  ]);
  expect(
    (await directory.get(`/organization/${as.tenantId}?$select=id,displayName`, { as })).body,
  ).toMatchObject({
    displayName: 'Castellan',
  });
  expect((await directory.get(`/organization/${id(7)}`, { as })).status).toBe(404);
  expect(
    (await directory.get('/organization', { as: person(id(1), ['Group.Read.All']) })).status,
  ).toBe(403);
});

test('subscribed licences are those of groups and users, with the number of users', async () => {
  expect((await directory.get('/subscribedSkus')).body.value).toEqual([]);
  const { body: group } = await directory.post('/groups', securityGroup());
  await directory.post(`/groups/${group.id}/assignLicense`, {
    addLicenses: [{ skuId: sku }],
    removeLicenses: [],
  });
  const units = async () => (await directory.get('/subscribedSkus')).body.value[0];
  expect(await units()).toMatchObject({
    skuId: sku,
    appliesTo: 'User',
    capabilityStatus: 'Enabled',
    consumedUnits: 0,
  });
  for (const number of [1, 2])
    await directory.post(`/groups/${group.id}/members/$ref`, {
      '@odata.id': `https://directory.test/v1.0/directoryObjects/${id(number)}`,
    });
  const found = await units();
  expect(found).toMatchObject({
    consumedUnits: 2,
    prepaidUnits: { enabled: 2, suspended: 0, warning: 0, lockedOut: 0 },
  });
  expect((await directory.get(`/subscribedSkus/${found.id}`)).body.skuId).toBe(sku);
});
