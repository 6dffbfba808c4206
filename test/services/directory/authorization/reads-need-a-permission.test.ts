import { TestDirectory, id, person } from '../support/directory.js';

describe('a caller without the permission', () => {
  it.each([
    '/users',
    '/devices',
    '/contacts',
    '/domains',
    '/applications',
    '/servicePrincipals',
    '/directory/administrativeUnits',
    '/directoryRoles',
    '/oauth2PermissionGrants',
    '/policies/claimsMappingPolicies',
  ])('cannot read %s', async (path) => {
    const directory = await TestDirectory.start();
    const answer = await directory.get(path, { as: person(id(1), ['openid']) });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'Authorization_RequestDenied']);
    await directory.stop();
  });
});
