import { withPseudonyms } from '../../../access/directory/pseudonyms.js';
import { person } from '../support.js';

const ada = person('ada', {
  mail: 'ada@contoso.example',
  onPremisesDistinguishedName: 'CN=ada of Contoso,OU=People,DC=contoso,DC=example',
  department: 'Retail',
});
const options = { key: 'k', namedPeople: [], keptProperties: new Set<string>() };

test('pseudonyms leave no property that has the name of a person', () => {
  const properties = ['department', 'displayName', 'onPremisesDistinguishedName'];
  const { users = [], snapshot = [] } = withPseudonyms(
    { users: [ada], snapshot: [{ people: 'all', properties }] },
    options,
  );
  const [user] = users;
  expect(user).toMatchObject({ id: ada['id'], department: 'Retail' });
  expect(JSON.stringify(user)).not.toContain('ada');
  expect(snapshot[0]?.['properties']).toEqual(['department']);
});
