import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  ids,
  type StartedItems,
  startItems,
  tokenOf,
  workspacePath,
} from './support/start-items.js';

describe('who may do what', () => {
  let service: StartedItems;
  let streamId: string;
  beforeAll(async () => {
    service = await startItems({ letsEveryoneIn: false });
    const token = tokenOf({ objectId: ids.admin });
    streamId = (
      await service.call('POST', `${workspacePath}/eventstreams`, {
        body: { displayName: 'stream' },
        token,
      })
    ).body.id as string;
  });
  afterAll(() => service.stop());

  const answer = async (
    method: string,
    path: string,
    token?: string,
    body?: unknown,
  ): Promise<[number, string | undefined]> => {
    const options = {
      ...omitUndefined({ token, body }),
    };
    const { status, body: answerBody } = await service.call(method, path, options);
    return [status, answerBody?.errorCode as string | undefined];
  };
  const as = (
    objectId: string,
    scopes = ['Item.ReadWrite.All'],
    kind: 'user' | 'application' = 'user',
  ): string => tokenOf({ objectId, scopes, kind });
  const unknownWorkspace = '/v1/workspaces/a0000000-0000-4000-8000-00000000dead';
  const unknownItem = `${workspacePath}/eventstreams/a0000000-0000-4000-8000-00000000dead`;

  it('requires a token before anything else, for any request', async () => {
    for (const path of [
      unknownWorkspace,
      workspacePath,
      unknownItem,
      '/v1/nowhere',
      '/v1/operations/x',
    ])
      expect(await answer('GET', path)).toEqual([401, 'TokenIsMissing']);
    expect(
      await answer('POST', `${workspacePath}/eventstreams`, undefined, { displayName: '' }),
    ).toEqual([401, 'TokenIsMissing']);
    expect((await service.call('GET', workspacePath)).headers.get('www-authenticate')).toBe(
      'Bearer',
    );
  });

  it('gives no access to a token without permissions, whatever account it names', async () => {
    const bare = as(ids.admin, []);
    const body = { displayName: 'stolen' };
    for (const [method, path] of [
      ['GET', '/v1/workspaces'],
      ['GET', '/v1/capacities'],
      ['GET', '/v1/tags'],
      ['GET', workspacePath],
      ['GET', `${workspacePath}/items`],
      ['GET', `${workspacePath}/folders`],
      ['GET', `${workspacePath}/roleAssignments`],
      ['POST', '/v1/workspaces'],
      ['POST', `${workspacePath}/eventstreams`],
      ['POST', `${workspacePath}/folders`],
      ['DELETE', `${workspacePath}/eventstreams/${streamId}`],
      ['DELETE', workspacePath],
    ] as const)
      expect([
        method,
        path,
        ...(await answer(method, path, bare, method === 'POST' ? body : undefined)),
      ]).toEqual([method, path, 403, 'InsufficientScopes']);
  });

  /**
   * @claim item-error-order: 404 comes before 403, 403 before 400.
   * @guess no page states the order
   */
  it('answers 404 before 403 before 400', async () => {
    expect(
      await answer('POST', `${unknownWorkspace}/eventstreams`, as(ids.viewer, []), {
        displayName: '',
      }),
    ).toEqual([404, 'WorkspaceNotFound']);
    expect(await answer('PATCH', unknownItem, as(ids.viewer), { displayName: '' })).toEqual([
      404,
      'ItemNotFound',
    ]);
    expect(
      await answer('POST', `${workspacePath}/eventstreams`, as(ids.viewer), { displayName: '' }),
    ).toEqual([403, 'InsufficientWorkspaceRole']);
    expect(
      await answer('POST', `${workspacePath}/eventstreams`, as(ids.contributor), {
        displayName: '',
      }),
    ).toEqual([400, 'InvalidInput']);
    expect(await answer('GET', '/v1/workspaces/not-a-uuid', as(ids.admin))).toEqual([
      404,
      'WorkspaceNotFound',
    ]);
    expect(await answer('GET', '/v1/nowhere', as(ids.admin))).toEqual([404, 'EndpointNotFound']);
  });

  it('refuses callers without a role', async () => {
    for (const path of [
      workspacePath,
      `${workspacePath}/items`,
      `${workspacePath}/eventstreams/${streamId}`,
    ])
      expect(await answer('GET', path, as(ids.stranger))).toEqual([
        403,
        'InsufficientWorkspaceRole',
      ]);
    expect(
      (await service.call('GET', '/v1/workspaces', { token: as(ids.stranger) })).body.value,
    ).toEqual([]);
  });

  /**
   * @claim workspace-roles-filter: The list of workspaces is filtered by the caller's role.
   * @source https://learn.microsoft.com/rest/api/fabric/core/workspaces/list-workspaces
   */
  it('lists the workspaces in which the caller has one of the named roles', async () => {
    const list = (roles: string, token?: string) =>
      service.call('GET', `/v1/workspaces?roles=${roles}`, token === undefined ? {} : { token });
    const count = async (roles: string): Promise<number> =>
      (await list(roles, as(ids.viewer))).body.value.length;
    expect(await count('Viewer')).toBe(1);
    expect(await count('admin,%20viewer')).toBe(1);
    expect(await count('Admin,Member,Contributor')).toBe(0);
    const refusal = await list('Viewer,Owner', as(ids.viewer));
    expect([refusal.status, refusal.body.errorCode]).toEqual([400, 'InvalidParameter']);
  });

  /**
   * @claim item-roles: Contributors write, viewers read.
   * @source https://learn.microsoft.com/fabric/fundamentals/roles-workspaces
   */
  it('lets viewers read and not write', async () => {
    const stream = `${workspacePath}/eventstreams/${streamId}`;
    expect((await answer('GET', stream, as(ids.viewer)))[0]).toBe(200);
    expect((await answer('GET', `${stream}/topology`, as(ids.viewer)))[0]).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', stream, { description: 'x' }],
      ['DELETE', stream, undefined],
      ['POST', `${stream}/getDefinition`, undefined],
      ['POST', `${stream}/updateDefinition`, {}],
      ['POST', `${stream}/pause`, undefined],
      ['POST', `${workspacePath}/folders`, { displayName: 'f' }],
      ['POST', `${workspacePath}/items/${streamId}/move`, {}],
      ['POST', `${workspacePath}/items/${streamId}/applyTags`, { tags: [ids.tag] }],
    ] as const)
      expect(await answer(method, path, as(ids.viewer), body)).toEqual([
        403,
        'InsufficientWorkspaceRole',
      ]);
  });

  it.each([
    [['Eventstream.ReadWrite.All'], 'eventstreams', 201],
    [['Item.ReadWrite.All'], 'eventstreams', 201],
    [['Eventhouse.ReadWrite.All'], 'eventhouses', 201],
    [['Item.ReadWrite.All'], 'eventhouses', 201],
    [['Eventhouse.ReadWrite.All'], 'eventstreams', 403],
    [['Eventstream.ReadWrite.All'], 'eventhouses', 403],
    [['Item.Read.All', 'Eventstream.Read.All'], 'eventstreams', 403],
    [['user_impersonation'], 'eventstreams', 403],
    [[], 'eventhouses', 403],
  ])('checks the scopes %p for %s: %d', async (scopes, word, expected) => {
    const displayName = `${word}-${scopes.join('-')}`.replaceAll(' ', '');
    expect(
      (
        await answer('POST', `${workspacePath}/${word}`, as(ids.contributor, scopes), {
          displayName,
        })
      )[0],
    ).toBe(expected);
  });

  it('checks the scope of a generic creation by the type in the body', async () => {
    const create = (type: string, displayName: string): Promise<[number, string | undefined]> =>
      answer('POST', `${workspacePath}/items`, as(ids.contributor, ['Eventstream.ReadWrite.All']), {
        type,
        displayName,
      });
    expect((await create('Eventstream', 'generic-a'))[0]).toBe(201);
    expect(await create('Eventhouse', 'generic-b')).toEqual([403, 'InsufficientScopes']);
  });

  it.each(['{', '', '[]'])(
    'judges the scope of a generic creation before the body %j',
    async (raw) => {
      const { status, body } = await service.call('POST', `${workspacePath}/items`, {
        token: as(ids.contributor, ['Item.Read.All']),
        raw,
      });
      expect([status, body.errorCode]).toEqual([403, 'InsufficientScopes']);
    },
  );

  it.each(['Capacity.Read.All', 'Capacity.ReadWrite.All', 'Workspace.Read.All'])(
    'lists capacities for the scope %s',
    async (scope) => {
      const token = as(ids.viewer, [scope]);
      expect((await answer('GET', '/v1/capacities', token))[0]).toBe(200);
      expect((await answer('GET', `/v1/capacities/${ids.capacity}`, token))[0]).toBe(200);
    },
  );

  it('checks applications by role, and by scopes only if they have any', async () => {
    const path = `${workspacePath}/eventstreams`;
    expect(
      (await answer('POST', path, as(ids.app, [], 'application'), { displayName: 'by-app' }))[0],
    ).toBe(201);
    expect(
      await answer('POST', path, as(ids.app, ['Item.Read.All'], 'application'), {
        displayName: 'by-app2',
      }),
    ).toEqual([403, 'InsufficientScopes']);
    expect(
      (
        await answer('POST', path, as(ids.stranger, [], 'application'), { displayName: 'by-app3' })
      )[0],
    ).toBe(403);
  });

  it('names the creator as the identity behind an item', async () => {
    const create = async (token: string, displayName: string): Promise<unknown> =>
      (
        await service.call('POST', `${workspacePath}/eventstreams`, {
          token,
          body: { displayName },
        })
      ).body.defaultIdentity;
    expect(await create(as(ids.contributor), 'who-1')).toEqual({
      id: ids.contributor,
      displayName: 'Con Tributor',
      type: 'User',
      userDetails: { userPrincipalName: 'con@example.com' },
    });
    expect(await create(as(ids.app, [], 'application'), 'who-2')).toEqual({
      id: ids.app,
      displayName: 'Deployer',
      type: 'ServicePrincipal',
      servicePrincipalDetails: { directoryAppId: 'd0000000-0000-4000-8000-000000000001' },
    });
  });

  it('makes the creator of a workspace its Admin, who assigns roles to others', async () => {
    const owner = as(ids.stranger);
    const { status, body } = await service.call('POST', '/v1/workspaces', {
      token: owner,
      body: { displayName: 'Own', capacityId: ids.capacity },
    });
    expect(status).toBe(201);
    const path = `/v1/workspaces/${body.id as string}`;
    expect(await answer('GET', path, as(ids.contributor))).toEqual([
      403,
      'InsufficientWorkspaceRole',
    ]);
    const assignment = { principal: { id: ids.contributor, type: 'User' }, role: 'Member' };
    const assignmentAnswer = await service.call('POST', `${path}/roleAssignments`, {
      token: owner,
      body: assignment,
    });
    expect([assignmentAnswer.status, assignmentAnswer.body]).toEqual([
      201,
      {
        id: ids.contributor,
        role: 'Member',
        principal: {
          id: ids.contributor,
          type: 'User',
          displayName: 'Con Tributor',
          userDetails: { userPrincipalName: 'con@example.com' },
        },
      },
    ]);
    expect(await answer('POST', `${path}/roleAssignments`, owner, assignment)).toEqual([
      409,
      'PrincipalAlreadyHasWorkspaceRolePermissions',
    ]);
    const admin = { principal: { id: ids.viewer, type: 'User' }, role: 'Admin' };
    expect(await answer('POST', `${path}/roleAssignments`, as(ids.contributor), admin)).toEqual([
      403,
      'InsufficientWorkspaceRole',
    ]);
    expect(await answer('DELETE', `${path}/roleAssignments/${ids.stranger}`, owner)).toEqual([
      400,
      'InvalidInput',
    ]);
    expect(
      await answer('PATCH', `${path}/roleAssignments/${ids.contributor}`, owner, {
        role: 'Viewer',
      }),
    ).toEqual([200, undefined]);
    expect(await answer('DELETE', path, as(ids.contributor))).toEqual([
      403,
      'InsufficientWorkspaceRole',
    ]);
    expect(await answer('DELETE', path, owner)).toEqual([200, undefined]);
    expect(await answer('GET', path, owner)).toEqual([404, 'WorkspaceNotFound']);
  });
});

describe('throttling', () => {
  /**
   * @claim items-429: A caller over the limit of an operation gets 429 with Retry-After.
   * @source https://learn.microsoft.com/rest/api/fabric/articles/throttling
   * @seen fabric
   */
  it('stops a burst of one caller on one operation, with Retry-After, and does not affect others', async () => {
    const service = await startItems({ throttle: true });
    // time stands still, so that the limit does not recover while a slow machine sends the requests
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    try {
      const burstToken = tokenOf({ objectId: ids.admin });
      let refusal: Awaited<ReturnType<StartedItems['call']>> | undefined;
      let sent = 0;
      while (refusal === undefined && sent < 5000) {
        const answers = await Promise.all(
          Array.from({ length: 100 }, () => service.call('GET', '/v1/tags', { token: burstToken })),
        );
        sent += answers.length;
        refusal = answers.find(({ status }) => status === 429);
      }
      expect(refusal?.body).toMatchObject({ errorCode: 'TooManyRequests', isRetriable: true });
      expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(
        (await service.call('GET', '/v1/tags', { token: tokenOf({ objectId: ids.viewer }) }))
          .status,
      ).toBe(200);
      expect((await service.call('GET', workspacePath, { token: burstToken })).status).toBe(200);
    } finally {
      vi.useRealTimers();
      await service.stop();
    }
  });
});
