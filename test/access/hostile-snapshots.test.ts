import { findPersonIndex } from '../../access/answer/find-person.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import type { SeedLists } from '../../services/common/seed.js';
import { idOf, insiders, modelOf, person, someone, stackOf, visitOf } from './support.js';

const stackWithG0 = stackOf({ allowedGroups: [idOf('g0')] });
const groupOf = (index: number, members: readonly unknown[]): object => ({
  id: groupId(index),
  displayName: `g${String(index)}`,
  members,
});
const groupId = (index: number): string =>
  index === 0 ? idOf('g0') : `bbbbbbbb-0000-4000-8000-${String(index).padStart(12, '0')}`;
const withGroups = (...groups: object[]): SeedLists => ({
  ...someone,
  groups: groups as SeedLists['groups'] & object,
});

test('groups that contain each other do not loop forever', () => {
  const model = modelOf(
    stackWithG0,
    withGroups(
      groupOf(0, [groupId(1)]),
      groupOf(1, [groupId(2)]),
      groupOf(2, [groupId(0), idOf('ada')]),
    ),
  );
  expect(insiders(model)).toEqual(['ada']);
  expect(visitOf(model, 'ada').answer.allowed).toBe(true);
});

test('10,000 nested groups count as more than the 200 that a token lists', () => {
  const depth = 10_000;
  const nestedGroups = Array.from({ length: depth }, (_, index) =>
    groupOf(index, index + 1 < depth ? [groupId(index + 1)] : [idOf('ada')]),
  );
  nestedGroups[depth - 150] = groupOf(depth - 150, [groupId(depth - 149), idOf('grace')]);
  const model = modelOf(stackWithG0, withGroups(...nestedGroups));
  expect(insiders(model)).toEqual([]);
  expect(
    insiders(
      modelOf(
        stackOf({ allowedGroups: [groupId(depth - 150)] }),
        withGroups(...nestedGroups.slice(depth - 150)),
      ),
    ),
  ).toEqual(['ada', 'grace']);
  expect(visitOf(model, 'ada').chain).toContainEqual(
    expect.objectContaining({
      kind: 'group',
      value: expect.stringContaining(
        'the token of a person in more than 200 groups names none',
      ) as string,
    }),
  );
});

test('a group or person may be called like a built-in property of objects', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const users = names.map((name) => person(name, { displayName: name, mailNickname: name }));
  const model = modelOf(stackWithG0, {
    users,
    groups: [groupOf(0, names.map(idOf))] as SeedLists['groups'] & object,
  });
  expect(insiders(model)).toEqual(names);
  for (const [index, name] of names.entries())
    expect(findPersonIndex(name, model.memberships, [stackWithG0])).toBe(index);
});

test('a stack may use names of built-in properties of objects', () => {
  const groups = { valueOf: { kind: 'security', displayName: 'Inside', members: ['constructor'] } };
  const principals = { constructor: { user: 'ada@contoso.example' } };
  expect(
    insiders(
      modelOf(stackOf({ allowedGroups: ['valueOf', idOf('toString')] }, { groups, principals })),
    ),
  ).toEqual(['ada']);
});

test('`__proto__` in a snapshot is not a property of an account', () => {
  const users = JSON.parse(
    `[{"id": "${idOf('ada')}", "userPrincipalName": "ada@contoso.example", "__proto__": {"accountEnabled": false}}]`,
  ) as [];
  expect(
    insiders(
      modelOf(stackWithG0, {
        users,
        groups: [groupOf(0, [idOf('ada')])] as SeedLists['groups'] & object,
      }),
    ),
  ).toEqual(['ada']);
});

test('the first entry of a person counts, and members of repeated groups add up, as in the directory', () => {
  const duplicateUser = { userPrincipalName: 'ADA@contoso.example', displayName: 'another' };
  const seed = withGroups(groupOf(0, [idOf('ada')]), groupOf(0, [idOf('grace')]));
  expect(
    insiders(modelOf(stackWithG0, { ...seed, users: [...(someone.users ?? []), duplicateUser] })),
  ).toEqual(['ada', 'grace']);
});

test.each<[string, SeedLists, string]>([
  [
    'two people of one name',
    { users: [person('ada'), { ...person('grace'), userPrincipalName: 'ADA@contoso.example' }] },
    'users: "ADA@contoso.example" is the user principal name of',
  ],
  ['an id that is no GUID', { users: [{ id: 4 }] }, 'users: the id 4 is not a GUID'],
  [
    'a member that refers to nothing',
    withGroups(groupOf(0, [7])),
    'groups: members: 7 is no id, user principal name or address of an object',
  ],
  [
    'a role for nothing',
    { servicePrincipals: [{ displayName: 'x', appRoleAssignedTo: [null] }] },
    'servicePrincipals: appRoleAssignedTo: nothing is no id',
  ],
  ...['many', -3, 1.5, null].map((all): [string, SeedLists, string] => [
    `a count of ${JSON.stringify(all)} groups`,
    { snapshot: [{ people: 'named', unreadGroups: { [idOf('ada')]: { all, security: 0 } } }] },
    'is not two counts, such as { "all": 3, "security": 1 }',
  ]),
])('%s is reported as an error', (_case, seed, message) => {
  expect(() => directoryFromSeed([seed], 'the test')).toThrow(message);
});
