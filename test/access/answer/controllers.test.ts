import { controllersOf } from '../../../access/answer/controllers.js';
import { idOf, modelOf, someone, stackOf } from '../support.js';

test('owners whom the directory that was read does not know have the names of the configuration', () => {
  const model = modelOf(
    stackOf(
      { allowedGroups: ['shoppers'] },
      {
        principals: {
          ada: { user: 'ada@contoso.example' },
          robot: { servicePrincipal: '6f1d2c3b-1111-4222-8333-444455556666' },
          job: { servicePrincipal: 'Nightly job' },
        },
        groups: {
          shoppers: { displayName: 'Shoppers', members: [], owners: ['ada', 'robot', 'job'] },
        },
      },
    ),
    {},
  );
  const [app] = model.apps;
  expect(app && controllersOf(app, model)).toMatchObject([
    { who: 'ada@contoso.example', by: 'owner of shoppers' },
    { who: '6f1d2c3b-1111-4222-8333-444455556666', by: 'owner of shoppers' },
    { who: 'the application nightly job', by: 'owner of shoppers' },
  ]);
});

test('owners of a group whose members a rule selects can let others in', () => {
  const rule = `user.memberOf -any (group.objectId -in ['${idOf('tills')}'])`;
  const model = modelOf(
    stackOf(
      { allowedGroups: ['shoppers'] },
      { groups: { shoppers: { displayName: 'Shoppers', dynamicMembership: { rule } } } },
    ),
    { ...someone, groups: [{ id: idOf('tills'), displayName: 'Tills', owners: [idOf('grace')] }] },
  );
  const [app] = model.apps;
  expect(app && controllersOf(app, model)).toMatchObject([
    { who: 'grace@contoso.example', by: 'owner of Tills' },
  ]);
});
