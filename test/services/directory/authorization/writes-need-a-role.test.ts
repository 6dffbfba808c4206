import { Router } from '../../../../services/directory/http/router.js';
import {
  id,
  person,
  securityGroup,
  TestDirectory,
  unifiedGroup,
  user,
} from '../support/directory.js';

/**
 * What needs no role: it reads, is refused to everyone, is the caller's own or a group's content,
 * or is open to all in the cloud, too.
 */
const needingNoRole = [
  /^\/groups\/\{id\}\/(members|owners)(\/\{target\})?$/,
  /\/(check|get)Member(Groups|Objects)$/,
  /\/(getByIds|validateProperties|evaluateDynamicMembership|getUserOwnedObjects|checkGrantedPermissionsForApp)$/,
  /^\/groups\/\{id\}\/(addFavorite|removeFavorite|subscribeByMail|unsubscribeByMail|resetUnseenCount)$/,
  /^\/groups\/\{id\}\/(conversations|threads|calendar|events|photo|drive|onenote)\b/,
  /^\/planner\/plans$/,
  /^POST \/(invitations|applications|servicePrincipals)$/,
];

/**
 * Every write of the directory with a permission that it takes from people, as it was added to the
 * router.
 */
const writes: (readonly [method: string, pattern: string, permission: string])[] = [];
let directory: TestDirectory;
beforeAll(async () => {
  const { on } = Router.prototype;
  const spy = vi.spyOn(Router.prototype, 'on').mockImplementation(function (
    this: Router,
    method,
    pattern,
    access,
    handler,
    options,
  ) {
    const permission = access.delegated?.at(-1);
    if (method !== 'GET' && permission !== undefined)
      writes.push([method, pattern.replace('/{cast}?', ''), permission]);
    return on.call(this, method, pattern, access, handler, options);
  });
  directory = await TestDirectory.start({
    dialect: 'azure',
    seed: { users: [user(id(1)), user(id(9))] },
  });
  spy.mockRestore();
});
afterAll(() => directory.stop());

test('a signed-in user with the permission for a write, but neither a role nor ownership, is refused', async () => {
  const create = async (path: string, body: object): Promise<Record<string, string>> =>
    (await directory.post(path, body)).body;
  const { id: group = '' } = await create(
    '/groups',
    unifiedGroup({ securityEnabled: true, visibility: 'Private' }),
  );
  const { id: deletedGroup = '' } = await create('/groups', securityGroup());
  await directory.post(`/groups/${group}/owners/$ref`, {
    '@odata.id': `https://directory.test/v1.0/directoryObjects/${id(1)}`,
  });
  expect((await directory.ask('PUT', `/groups/${group}/team`, {})).status).toBe(201);
  const app = await create('/applications', { displayName: 'App' });
  const { id: principal = '' } = await create('/servicePrincipals', { appId: app['appId'] });
  await directory.delete(`/groups/${deletedGroup}`);
  const scheduleInfo = {
    startDateTime: '2027-01-01T00:00:00Z',
    expiration: { type: 'noExpiration' },
  };
  const ask = { action: 'adminAssign', principalId: id(1), justification: 'x', scheduleInfo };
  const inGroup = { ...ask, groupId: group, accessId: 'member' };
  const inRole = {
    ...ask,
    roleDefinitionId: '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f',
    directoryScopeId: '/',
  };
  const forGroups = '/identityGovernance/privilegedAccess/group';
  const requests: Record<string, string> = {};
  for (const [path, body] of [
    [`${forGroups}/assignmentScheduleRequests`, inGroup],
    [`${forGroups}/eligibilityScheduleRequests`, inGroup],
    ['/roleManagement/directory/roleAssignmentScheduleRequests', inRole],
  ] as const)
    requests[path] = (await create(path, body))['id'] ?? '';
  const policies = '/policies/roleManagementPolicies';
  const { value } = (
    await directory.get(`${policies}?$filter=scopeId eq '${group}' and scopeType eq 'Group'`)
  ).body;
  const reference = { '@odata.id': `https://directory.test/v1.0/directoryObjects/${id(1)}` };

  /**
   * The id that a parameter has for a request to get as far as the caller's rights, and the body.
   */
  const parameterValues: readonly (readonly [RegExp, string])[] = [
    ...Object.entries(requests).map(
      ([path, request]) => [new RegExp(`^(${path}/)\\{id\\}`), request] as const,
    ),
    [/^(\/policies\/roleManagementPolicies\/)\{\w+\}/, value[0].id],
    [/^(\/directory\/deletedItems\/)\{id\}/, deletedGroup],
    [/^(\/(?:groups|teams)\/)\{id\}/, group],
    [/^(\/applications\/)\{id\}/, app['id'] ?? ''],
    [/^(\/servicePrincipals\/)\{id\}/, principal],
    [/()\{\w+\}/, id(1)],
    [/()\{\w+\}/, id(1)],
  ];
  const bodyOf = (pattern: string): object => {
    if (pattern.endsWith('/assignLicense')) return { addLicenses: [], removeLicenses: [] };
    if (pattern === '/groups') return securityGroup();
    if (pattern.endsWith('ScheduleRequests'))
      return pattern.startsWith(forGroups) ? inGroup : inRole;
    return reference;
  };

  const notRefused: string[] = [];
  for (const [method, pattern, permission] of writes) {
    if (needingNoRole.some((each) => each.test(pattern) || each.test(`${method} ${pattern}`)))
      continue;
    const path = parameterValues.reduce(
      (text, [from, to]) => text.replace(from, `$1${to}`),
      pattern,
    );
    const query =
      method === 'DELETE' && pattern.endsWith('/$ref') ? `?@id=${reference['@odata.id']}` : '';
    const answer = await directory.ask(
      method,
      `${path}${query}`,
      method === 'DELETE' ? undefined : bodyOf(pattern),
      {
        as: person(id(9), [permission]),
      },
    );
    if (answer.status !== 403)
      notRefused.push(`${answer.status} ${method} ${pattern} ${answer.body?.error?.message ?? ''}`);
  }
  expect(notRefused).toEqual([]);
  expect(writes.length).toBeGreaterThan(250);
});
