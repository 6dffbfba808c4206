import { emptyDirectory } from '../../../access/directory/from-seed.js';
import { withAppliedObjects } from '../../../access/stack/applied-directory.js';
import { idOf } from '../support.js';

test('adds the applied groups, applications and service principals with ids in lower case', () => {
  const [group, jo] = [idOf('group'), idOf('jo')];
  const clientId = '0D9A4C2E-1111-4AAA-8BBB-ABCDEFABCDEF';
  const owners = [jo.toUpperCase()];
  const applied = (type: string, values: object) => ({
    type,
    name: 'it',
    values: { owners, ...values },
    isKept: true,
  });
  const directory = withAppliedObjects(emptyDirectory, [
    applied('azuread_group', { object_id: group.toUpperCase(), members: [jo.toUpperCase()] }),
    applied('azuread_application', { client_id: clientId }),
    applied('azuread_service_principal', { client_id: clientId, object_id: idOf('sp') }),
  ]);
  expect(directory).toMatchObject({
    groups: [{ id: group, members: [jo], owners: [jo] }],
    applications: [{ appId: clientId.toLowerCase(), owners: [jo] }],
    servicePrincipals: [{ appId: clientId.toLowerCase(), owners: [jo] }],
  });
});
