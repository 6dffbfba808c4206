import { peopleAndApplications } from '../../../sandbox/identity-provider/people-and-applications.js';

/** Answers as the directory service does: `/users/` is the list, too. */
const readDirectory = <T>(path: string): Promise<T | undefined> => {
  const id = /^\/users\/([^?]*)\?/.exec(path)?.[1];
  const answers: Record<string, unknown> = { '': { value: [{ id: 'ada' }] }, ada: { id: 'ada' } };
  return Promise.resolve(answers[id ?? ''] as T | undefined);
};

test.each([
  ['ada', { id: 'ada' }],
  ['grace', undefined],
  ['', undefined],
])('the person "%s" is %o', async (id, person) => {
  expect(await peopleAndApplications(readDirectory).person(id)).toEqual(person);
});

test('the roles of an application are those of every page of its assignments', async () => {
  const list = '/servicePrincipals/terraform/appRoleAssignments';
  const assignment = (appRoleId: string) => ({ appRoleId, resourceId: 'graph' });
  const answers: Record<string, unknown> = {
    [list]: {
      value: [assignment('1')],
      '@odata.nextLink': `https://localhost/v1.0${list}?$skiptoken=2`,
    },
    [`${list}?$skiptoken=2`]: { value: [assignment('2')] },
    '/servicePrincipals/graph': {
      appRoles: [
        { id: '1', value: 'Group.Read.All' },
        { id: '2', value: 'User.Read.All' },
      ],
    },
  };
  const read = <T>(path: string) => Promise.resolve(answers[path] as T | undefined);
  expect(await peopleAndApplications(read).applicationRoles('terraform')).toEqual([
    'Group.Read.All',
    'User.Read.All',
  ]);
});
