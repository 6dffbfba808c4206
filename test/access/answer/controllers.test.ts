import { controllersOf } from '../../../access/answer/controllers.js';
import { modelOf, stackOf } from '../support.js';

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
