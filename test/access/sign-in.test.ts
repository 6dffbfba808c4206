import { chainText } from '../../access/answer/report.js';
import { accessOverview } from '../../access/answer/overview.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { accessModel } from '../../access/model.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { idOf, insiders, modelOf, person, someone, stackOf, visitOf } from './support.js';

test('without a policy every enabled account of the directory gets in, guests too', () => {
  const model = modelOf(stackOf({}));
  expect(insiders(model)).toEqual(['ada', 'grace', 'guest']);
  expect(accessOverview(model)[0]?.guestCount).toBe(1);
});

test('a dynamic group admits the people that its rule matches, and the chain shows the values that the rule read', () => {
  const groups = {
    retail: {
      kind: 'security',
      displayName: 'Retail',
      dynamicMembership: { rule: 'user.department -eq "Retail"' },
    },
  };
  const model = modelOf(stackOf({ allowedGroups: ['retail'] }, { groups }));
  expect(insiders(model)).toEqual(['ada', 'guest']);
  expect(visitOf(model, 'grace')).toMatchObject({ answer: { allowed: false, status: 403 } });
  expect(visitOf(model, 'grace').chain).toContainEqual({
    kind: 'rule',
    name: 'retail',
    value: 'user.department -eq "Retail" (user.department is "Operations")',
    verdict: 'fail',
  });
});

test('members of nested groups get in, and the chain names each group on the way', () => {
  const groups = {
    outer: { kind: 'security', displayName: 'Outer', members: ['inner'] },
    inner: { kind: 'security', displayName: 'Inner', members: ['ada'] },
  };
  const principals = { ada: { user: 'ada@contoso.example' } };
  const model = modelOf(stackOf({ allowedGroups: ['outer'] }, { groups, principals }));
  expect(insiders(model)).toEqual(['ada']);
  expect(chainText(visitOf(model, 'ada').chain)).toContain(
    'inner: member by name\n  yes  group       outer: holds inner',
  );
});

test('a memberOf rule gives the direct members of the other group only', () => {
  const inner = idOf('inner');
  const seed = {
    ...someone,
    groups: [
      { id: inner, displayName: 'Inner', members: [idOf('ada')] },
      { id: idOf('outer'), displayName: 'Outer', members: [inner, idOf('grace')] },
    ],
  };
  const groupWithMemberOf = (id: string) => ({
    groups: {
      ask: {
        kind: 'security',
        displayName: 'Ask',
        dynamicMembership: { rule: `user.memberof -any (group.objectId -in ['${id}'])` },
      },
    },
  });
  expect(
    insiders(modelOf(stackOf({ allowedGroups: ['ask'] }, groupWithMemberOf(inner)), seed)),
  ).toEqual(['ada']);
  expect(
    insiders(modelOf(stackOf({ allowedGroups: ['ask'] }, groupWithMemberOf(idOf('outer'))), seed)),
  ).toEqual(['grace']);
});

test('groups of the same name in two stacks are different groups', () => {
  const stack = (name: string, rule: string): StackConfig => ({
    ...stackOf(
      { allowedGroups: ['staff'] },
      { groups: { staff: { kind: 'security', displayName: name, dynamicMembership: { rule } } } },
    ),
    stack: name,
  });
  const configs = [
    stack('one', 'user.department -eq "Operations"'),
    stack('two', 'user.userType -eq "Guest"'),
  ];
  const model = accessModel(configs, directoryFromSeed([someone], 'the test'), { now: 0 });
  expect(accessOverview(model).map(({ entrants }) => [...entrants.admitted])).toEqual([[1], [2]]);
});

test('groups whose names differ only in letter case are different groups', () => {
  const principals = {
    ada: { user: 'ada@contoso.example' },
    grace: { user: 'grace@contoso.example' },
  };
  const groups = {
    Shop: { kind: 'security', displayName: 'Shop', members: ['Inner'] },
    shop: { kind: 'security', displayName: 'Other shop', members: ['grace'] },
    Inner: { kind: 'security', displayName: 'Inner', members: ['ada'] },
  };
  expect(insiders(modelOf(stackOf({ allowedGroups: ['Shop'] }, { groups, principals })))).toEqual([
    'ada',
  ]);
  expect(insiders(modelOf(stackOf({ allowedGroups: ['shop'] }, { groups, principals })))).toEqual([
    'grace',
  ]);
});

test('people in more groups than a token lists do not get in by one of them', () => {
  const groups = Array.from({ length: 201 }, (_, index) => ({
    id: idOf(`g${String(index)}`),
    displayName: `g${String(index)}`,
    members: [idOf('ada')],
  }));
  groups[0]?.members.push(idOf('grace'));
  const model = modelOf(
    stackOf(
      { allowedGroups: [idOf('g0')] },
      { registrations: { login: { displayName: 'Sign-in' } } },
    ),
    {
      ...someone,
      groups,
    },
  );
  expect(insiders(model)).toEqual(['grace']);
  expect(chainText(visitOf(model, 'ada').chain)).toContain(
    'g0: member, but the token of a person in more than 200 groups names none',
  );
});

describe('of a person in more groups than a token lists, the sidecar looks them up', () => {
  const graph = '00000003-0000-0000-c000-000000000000';
  const roles = ['98830695-27a2-44f7-8c18-0c3ebc9698f6', 'df021288-bdef-4463-88db-98f22de89214'];
  const seed = {
    ...someone,
    groups: Array.from({ length: 201 }, (_, index) => ({
      id: idOf(`g${String(index)}`),
      displayName: `g${String(index)}`,
      members: [idOf('ada')],
    })),
    applications: [{ id: idOf('app'), appId: idOf('client'), displayName: 'Sign-in' }],
    servicePrincipals: [{ id: idOf('sp'), appId: idOf('client'), displayName: 'Sign-in' }],
  };
  const seedWithGrants = (...appRoleIds: string[]) => ({
    ...seed,
    servicePrincipals: [
      ...seed.servicePrincipals,
      {
        id: idOf('graph'),
        appId: graph,
        displayName: 'Microsoft Graph',
        appRoleAssignedTo: appRoleIds.map((appRoleId) => ({ appRoleId, principalId: idOf('sp') })),
      },
    ],
  });
  const login = { displayName: 'Sign-in' };
  const askingLogin = { ...login, requiredPermissions: [{ resourceAppId: graph, roles }] };
  const required = { requirements: [{ path: '/admin', groups: [idOf('g7')] }] };
  const model = (directory: object, registration: object, contents: object) =>
    modelOf(
      stackOf(directory, { auth: required, registrations: { login: registration } }),
      contents,
    );

  test.each([
    ['the registration asks for it and has it', askingLogin, seedWithGrants(...roles)],
    ['the directory has granted it', login, seedWithGrants(...roles)],
    ['it may read everything', login, seedWithGrants('7ab1d382-f21e-4acd-a863-ba3e13f7da61')],
  ])('where %s', (_, registration, contents) => {
    const inside = model({ allowedGroups: [idOf('g0')] }, registration, contents);
    expect(insiders(inside)).toEqual(['ada']);
    expect(visitOf(inside, 'ada', '/admin').answer).toMatchObject({ allowed: true, status: 200 });
    const other = model({ allowedGroups: [idOf('g500')] }, registration, contents);
    expect(visitOf(other, 'ada').answer.allowed).toBe('unknown');
  });

  test('and are unknown where the registration asks for what an administrator may grant', () => {
    const inside = model({ allowedGroups: [idOf('g0')] }, askingLogin, seed);
    expect(visitOf(inside, 'ada').answer.allowed).toBe('unknown');
  });

  test.each([
    ['nothing is granted', seedWithGrants()],
    ['only mail may be read', seedWithGrants('810c84a8-4a9e-49e6-bf7d-12d183f40d01')],
  ])('and answers 502 where %s', (_, contents) => {
    const outside = model({ allowedGroups: [idOf('g0')] }, login, contents);
    const { answer, chain } = visitOf(outside, 'ada');
    expect(answer).toMatchObject({ allowed: false, status: 502 });
    expect(chainText(chain)).toContain('login may not look them up');
    const named = model({ allowedPrincipals: [idOf('ada')] }, login, contents);
    expect(visitOf(named, 'ada').answer.allowed).toBe(true);
    expect(visitOf(named, 'ada', '/admin').answer).toMatchObject({ allowed: false, status: 403 });
  });
});

test('where tokens name no groups, allowed groups let no one in', () => {
  const groups = { retail: { kind: 'security', displayName: 'Retail', members: ['ada'] } };
  const registrations = { login: { displayName: 'Sign-in', groupMembershipClaims: ['None'] } };
  const model = modelOf(
    stackOf(
      { allowedGroups: ['retail'] },
      { groups, registrations, principals: { ada: { user: 'ada@contoso.example' } } },
    ),
  );
  expect(insiders(model)).toEqual([]);
});

test('an unknown group makes the answer unknown, except for members of another allowed group', () => {
  const groups = { retail: { kind: 'security', displayName: 'Retail', members: ['ada'] } };
  const config = stackOf(
    { allowedGroups: ['retail', idOf('stranger')] },
    { groups, principals: { ada: { user: 'ada@contoso.example' } } },
  );
  const model = modelOf(config);
  expect(visitOf(model, 'ada').answer).toMatchObject({ allowed: true, status: 200 });
  expect(visitOf(model, 'grace').answer).toMatchObject({ allowed: 'unknown', status: undefined });
  expect(accessOverview(model)[0]?.entrants.unknown.count).toBe(2);
});

test('if a role is required, people with a role get in, also through a direct group', () => {
  const [inner, outer] = [idOf('inner'), idOf('outer')];
  const seed = {
    users: [...(someone.users ?? []), person('eve')],
    groups: [
      { id: inner, displayName: 'Inner', members: [idOf('ada')] },
      { id: outer, displayName: 'Outer', members: [inner, idOf('eve')] },
    ],
    applications: [{ id: idOf('app'), appId: idOf('client'), displayName: 'Sign-in' }],
    servicePrincipals: [
      {
        id: idOf('sp'),
        appId: idOf('client'),
        displayName: 'Sign-in',
        appRoleAssignedTo: [{ principalId: outer }, { principalId: idOf('guest') }],
      },
    ],
  };
  const model = modelOf(
    stackOf({}, { registrations: { login: { displayName: 'Sign-in', assignmentRequired: true } } }),
    seed,
  );
  expect(insiders(model)).toEqual(['guest', 'eve']);
  const { answer, chain } = visitOf(model, 'ada');
  expect(answer).toMatchObject({ allowed: false, status: 302 });
  expect(chain).toContainEqual({
    kind: 'role',
    name: 'login',
    value: 'no role is assigned, and one is required',
    verdict: 'fail',
  });
});

test('a disabled account gets what a browser without a session gets', () => {
  const model = modelOf(stackOf({}, { auth: { unauthenticatedAction: 'return403' } }));
  expect(visitOf(model, 'gone').answer).toMatchObject({
    allowed: false,
    status: 403,
    decidedBy: 'challenge',
  });
});

test('people of another tenant than that of the stack are not known', () => {
  const azure = { tenantId: '11111111-1111-4111-8111-111111111111' };
  const model = modelOf(stackOf({ tenantId: '22222222-2222-4222-8222-222222222222' }, { azure }));
  expect(visitOf(model, 'ada').answer.allowed).toBe('unknown');
  expect(insiders(model)).toEqual([]);
});

test('application checks take the client id of the registration for the calling application', () => {
  const seed = {
    ...someone,
    applications: [{ id: idOf('app'), appId: idOf('client'), displayName: 'Sign-in' }],
  };
  expect(insiders(modelOf(stackOf({ allowedApplications: [idOf('client')] }), seed))).toEqual([
    'ada',
    'grace',
    'guest',
  ]);
  expect(insiders(modelOf(stackOf({ allowedApplications: [idOf('other')] }), seed))).toEqual([]);
  expect(
    visitOf(modelOf(stackOf({ allowedApplications: [idOf('other')] })), 'ada').answer.allowed,
  ).toBe('unknown');
});
