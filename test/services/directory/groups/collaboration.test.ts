import {
  TestDirectory,
  application,
  id,
  person,
  unifiedGroup,
  user,
} from '../support/directory.js';

const postBody = { body: { contentType: 'text', content: 'Hello there' }, newParticipants: [] };
/** The smallest PNG there is: one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the collaboration areas of a unified group', () => {
  let directory: TestDirectory;
  let group: string;
  const as = person(id(1), ['Group.ReadWrite.All'], ['groupsAdministrator']);
  beforeAll(async () => {
    directory = await TestDirectory.start({
      seed: { users: [user(id(1), { displayName: 'Ada' }), user(id(2)), user(id(3))] },
    });
    group = `/groups/${(await directory.post('/groups', unifiedGroup({ displayName: 'Team', mailNickname: 'team' }), { as })).body.id}`;
  });
  afterAll(() => directory.stop());

  it('has conversations, threads and posts, for users only', async () => {
    const created = await directory.post(
      `${group}/conversations`,
      { topic: 'Launch', threads: [{ posts: [postBody] }] },
      { as },
    );
    expect([created.status, created.body.threads]).toEqual([201, [{ id: expect.any(String) }]]);
    const thread = created.body.threads[0].id as string;
    const conversation = await directory.get(`${group}/conversations/${created.body.id}`, { as });
    expect(conversation.body).toMatchObject({
      topic: 'Launch',
      hasAttachments: false,
      uniqueSenders: ['Ada'],
      preview: 'Hello there',
    });
    expect(
      (await directory.post(`${group}/threads/${thread}/reply`, { post: postBody }, { as })).status,
    ).toBe(202);
    directory.passTime({ seconds: 1 });
    const posts = await directory.get(`${group}/threads/${thread}/posts`, { as });
    expect(posts.body.value).toHaveLength(2);
    expect(posts.body.value[0]).toMatchObject({
      body: postBody.body,
      from: { emailAddress: { name: 'Ada' } },
      conversationThreadId: thread,
      conversationId: created.body.id,
    });
    expect(
      (
        await directory.post(
          `${group}/threads/${thread}/posts/${posts.body.value[0].id}/forward`,
          { comment: 'x', toRecipients: [{}] },
          { as },
        )
      ).status,
    ).toBe(200);
    expect(
      (await directory.patch(`${group}/threads/${thread}`, { isLocked: true }, { as })).status,
    ).toBe(204);
    expect(
      (await directory.post(`${group}/threads/${thread}/reply`, { post: postBody }, { as })).status,
    ).toBe(403);
    const shown = await directory.patch(
      `${group}/threads/${thread}`,
      { isLocked: false },
      { as, headers: { prefer: 'return=representation' } },
    );
    expect([shown.status, shown.body.isLocked]).toEqual([200, false]);
    expect(
      (await directory.patch(`${group}/threads/${thread}`, { topic: 'x' }, { as })).status,
    ).toBe(400);
    expect(
      (await directory.get(`${group}/conversations/${created.body.id}/threads`, { as })).body.value,
    ).toHaveLength(1);
    const second = await directory.post(
      `${group}/threads`,
      { topic: 'Second', posts: [postBody] },
      { as },
    );
    expect([second.status, second.body.topic]).toEqual([201, 'Second']);
    expect((await directory.delete(`${group}/threads/${second.body.id}`, { as })).status).toBe(204);
    expect(
      (await directory.delete(`${group}/conversations/${created.body.id}`, { as })).status,
    ).toBe(204);
    expect((await directory.get(`${group}/threads/${thread}`, { as })).status).toBe(404);
    expect(
      (
        await directory.get(`${group}/conversations`, {
          as: application(id(9), ['Group.ReadWrite.All']),
        })
      ).status,
    ).toBe(403);
    const security = (await directory.group())['id'];
    expect((await directory.get(`/groups/${security}/conversations`, { as })).status).toBe(404);
  });

  it('is written by members, owners and those with a role, not by any person with a permission', async () => {
    const shared = (
      await directory.post(
        '/groups',
        unifiedGroup({ 'members@odata.bind': [`http://x/v1.0/users/${id(2)}`] }),
        { as },
      )
    ).body.id as string;
    const time = { dateTime: '2026-02-01T10:00:00', timeZone: 'UTC' };
    const started = await directory.post(
      `/groups/${shared}/conversations`,
      { topic: 'Launch', threads: [{ posts: [postBody] }] },
      { as },
    );
    const conversation = `/groups/${shared}/conversations/${started.body.id}`;
    const thread = `/groups/${shared}/threads/${started.body.threads[0].id}`;
    const text = { headers: { 'content-type': 'text/plain' } };
    const png = { headers: { 'content-type': 'image/png' } };
    type Write = readonly [method: string, path: string, body?: unknown, options?: object];
    const writes: readonly Write[] = [
      ['PATCH', `/groups/${shared}/calendar`, { name: 'Team' }],
      ['POST', `/groups/${shared}/events`, { subject: 'Start', start: time, end: time }],
      ['PUT', `/groups/${shared}/drive/root:/a.txt:/content`, Buffer.from('a'), text],
      ['POST', `/groups/${shared}/drive/root/children`, { name: 'New', folder: {} }],
      ['PUT', `/groups/${shared}/photo/$value`, pixel, png],
      ['DELETE', `/groups/${shared}/photo/$value`],
      ['POST', `/groups/${shared}/onenote/notebooks`, { displayName: 'Notes' }],
      ['POST', '/planner/plans', { title: 'Plan', owner: shared }],
      ['PATCH', thread, { isLocked: true }],
      ['DELETE', conversation],
    ];
    const statuses = async (caller: object): Promise<(readonly [string, boolean])[]> => {
      const answers = [];
      for (const [method, path, body, options] of writes) {
        const { status } = await directory.ask(method, path, body, { ...options, ...caller });
        answers.push([path, status === 403] as const);
      }
      return answers;
    };
    const refused = (isRefused: boolean): unknown => writes.map(([, path]) => [path, isRefused]);
    const permissions = ['Group.ReadWrite.All'];
    expect(await statuses({ as: person(id(3), permissions) })).toEqual(refused(true));
    expect(await statuses({ as: person(id(2), permissions) })).toEqual(refused(false));
    expect(await statuses({ as: application(id(9), permissions) })).toEqual(
      writes.map(([, path]) => [path, path === thread || path === conversation]),
    );
  });

  it('lets only accepted senders post, and rejected ones not', async () => {
    const body = { topic: 'T', threads: [{ posts: [postBody] }] };
    const other = person(id(2), ['Group.ReadWrite.All']);
    await directory.post(`${group}/acceptedSenders/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(1)}`,
    });
    expect((await directory.post(`${group}/conversations`, body, { as: other })).status).toBe(403);
    expect((await directory.post(`${group}/conversations`, body, { as })).status).toBe(201);
    await directory.delete(`${group}/acceptedSenders/${id(1)}/$ref`);
    await directory.post(`${group}/rejectedSenders/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(2)}`,
    });
    expect((await directory.post(`${group}/conversations`, body, { as: other })).status).toBe(403);
    expect((await directory.post(`${group}/conversations`, body, { as })).status).toBe(201);
  });

  it('takes a group in a list of senders for its members', async () => {
    const body = { topic: 'T', threads: [{ posts: [postBody] }] };
    const other = person(id(2), ['Group.ReadWrite.All']);
    const senders = (await directory.group())['id'] as string;
    await directory.post(`/groups/${senders}/members/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(2)}`,
    });
    const start = async (list: string): Promise<number[]> => {
      const reference = { '@odata.id': `http://x/v1.0/groups/${senders}` };
      await directory.post(`${group}/${list}/$ref`, reference);
      const statuses = [
        (await directory.post(`${group}/conversations`, body, { as })).status,
        (await directory.post(`${group}/conversations`, body, { as: other })).status,
      ];
      await directory.delete(`${group}/${list}/${senders}/$ref`);
      return statuses;
    };
    await directory.delete(`${group}/rejectedSenders/${id(2)}/$ref`);
    expect([await start('acceptedSenders'), await start('rejectedSenders')]).toEqual([
      [403, 201],
      [201, 403],
    ]);
  });

  it('has a calendar with events and a view of a period', async () => {
    expect((await directory.get(`${group}/calendar`)).body).toMatchObject({
      name: 'Calendar',
      owner: { name: 'Team', address: 'team@castellan.example' },
    });
    const renamed = await directory.patch(`${group}/calendar`, { name: 'Ours' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Ours']);
    const event = {
      subject: 'Review',
      start: { dateTime: '2026-02-02T10:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-02-02T11:00:00', timeZone: 'Europe/Berlin' },
    };
    const created = await directory.post(`${group}/events`, event);
    expect([created.status, created.body]).toMatchObject([
      201,
      { ...event, type: 'singleInstance', importance: 'normal', showAs: 'busy' },
    ]);
    const view = async (start: string, end: string): Promise<number> =>
      (await directory.get(`${group}/calendarView?startDateTime=${start}&endDateTime=${end}`)).body
        .value.length;
    expect(await view('2026-02-02T09:30:00Z', '2026-02-02T12:00:00Z')).toBe(1);
    expect(await view('2026-02-02T10:00:00Z', '2026-02-02T12:00:00Z')).toBe(0);
    expect((await directory.get(`${group}/calendarView`)).status).toBe(400);
    const changed = await directory.patch(`${group}/calendar/events/${created.body.id}`, {
      subject: 'Retro',
    });
    expect([changed.status, changed.body.subject]).toEqual([200, 'Retro']);
    expect(
      (await directory.patch(`${group}/events/${created.body.id}`, { showAs: 'asleep' })).status,
    ).toBe(400);
    expect((await directory.post(`${group}/events`, { subject: 'x' })).status).toBe(400);
    expect((await directory.delete(`${group}/events/${created.body.id}`)).status).toBe(204);
    expect((await directory.get(`${group}/events/${created.body.id}`)).status).toBe(404);
  });

  it('has a photo', async () => {
    expect((await directory.get(`${group}/photo/$value`)).status).toBe(404);
    expect((await directory.get(`${group}/photo`)).body.id).toBe('1X1');
    expect(
      (
        await directory.ask('PUT', `${group}/photo/$value`, pixel, {
          headers: { 'content-type': 'image/png' },
        })
      ).status,
    ).toBe(200);
    const value = await directory.get(`${group}/photo/$value`);
    expect([value.status, value.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await directory.get(`${group}/photo`)).body).toMatchObject({
      '@odata.mediaContentType': 'image/png',
      width: 1,
      height: 1,
    });
    expect((await directory.get(`${group}/photos`)).body.value).toHaveLength(1);
    expect(
      (
        await directory.ask('PUT', `${group}/photo/$value`, Buffer.from('not a picture'), {
          headers: { 'content-type': 'image/png' },
        })
      ).status,
    ).toBe(400);
    expect((await directory.delete(`${group}/photo/$value`)).status).toBe(204);
  });

  it('has a drive, notebooks, plans, a site, grants and extensions', async () => {
    expect((await directory.get(`${group}/drive`)).body).toMatchObject({
      driveType: 'documentLibrary',
    });
    const folder = await directory.post(`${group}/drive/root/children`, {
      name: 'Plans',
      folder: {},
    });
    expect(folder.status).toBe(201);
    expect(
      (await directory.post(`${group}/drive/root/children`, { name: 'plans', folder: {} })).status,
    ).toBe(409);
    await directory.post(`${group}/drive/items/${folder.body.id}/children`, {
      name: 'Inner',
      folder: {},
    });
    expect(
      (await directory.get(`${group}/drive/items/${folder.body.id}/children`)).body.value,
    ).toMatchObject([{ name: 'Inner' }]);
    expect(
      (await directory.post(`${group}/onenote/notebooks`, { displayName: 'Notes' })).status,
    ).toBe(201);
    expect(
      (await directory.post(`${group}/onenote/notebooks`, { displayName: 'notes' })).status,
    ).toBe(409);
    expect(
      (await directory.post(`${group}/onenote/notebooks`, { displayName: 'a/b' })).status,
    ).toBe(400);
    expect((await directory.get(`${group}/onenote/notebooks`)).body.value).toMatchObject([
      { displayName: 'Notes', userRole: 'Owner' },
    ]);
    expect(
      (
        await directory.post('/planner/plans', {
          title: 'Plan',
          container: { url: `http://x/v1.0${group}` },
        })
      ).status,
    ).toBe(201);
    const security = await directory.post('/groups', {
      displayName: 'No plans',
      mailEnabled: false,
      mailNickname: 'noplans',
      securityEnabled: true,
    });
    expect(
      (await directory.post('/planner/plans', { title: 'Plan', owner: security.body.id })).status,
    ).toBe(404);
    expect((await directory.get(`${group}/planner/plans`)).body.value).toMatchObject([
      { title: 'Plan', container: { type: 'group' } },
    ]);
    expect((await directory.get(`${group}/sites/root`)).body.displayName).toBe('Team');
    expect((await directory.get(`${group}/permissionGrants`)).body.value).toEqual([]);
    expect((await directory.post(`${group}/checkGrantedPermissionsForApp`)).body.value).toEqual([]);
    expect((await directory.post(`${group}/retryServiceProvisioning`)).status).toBe(204);
    expect(
      (
        await directory.post(`${group}/extensions`, {
          id: 'org.y',
          extensionName: 'org.x',
          colour: 'red',
        })
      ).status,
    ).toBe(201);
    expect((await directory.patch(`${group}/extensions/org.x`, { colour: 'blue' })).status).toBe(
      204,
    );
    for (const [extensionName, expected] of [
      ['org.x', 204],
      ['org.z', 400],
    ] as const)
      expect((await directory.patch(`${group}/extensions/org.x`, { extensionName })).status).toBe(
        expected,
      );
    expect((await directory.get(`${group}/extensions/org.x`)).body).toMatchObject({
      id: 'org.x',
      extensionName: 'org.x',
      colour: 'blue',
    });
  });

  it('archives the team of a group that the path names by its unique name', async () => {
    const uniqueName = 'archived-by-name';
    const { body } = await directory.ask(
      'PATCH',
      `/groups(uniqueName='${uniqueName}')`,
      unifiedGroup(),
      { headers: { prefer: 'create-if-missing' } },
    );
    await directory.ask('PUT', `/groups/${body.id}/team`, {});
    const archived = await directory.post(`/groups(uniqueName='${uniqueName}')/team/archive`);
    expect([archived.status, archived.headers['location']]).toEqual([
      202,
      `http://directory.test/v1.0/teams/${body.id}`,
    ]);
  });

  it('gets a team on request, archived and unarchived by its operations', async () => {
    const bare = (await directory.post('/groups', unifiedGroup())).body.id as string;
    expect((await directory.get(`/groups/${bare}/team`)).status).toBe(404);
    expect((await directory.ask('PUT', `/groups/${bare}/team`, {})).status).toBe(201);
    for (const path of [`/groups/${bare}/team`, `/group/${bare}/team`, `/teams/${bare}`])
      expect((await directory.get(path)).body.id).toBe(bare);
    expect((await directory.post(`/teams/${bare}/archive`)).status).toBe(202);
    expect((await directory.get(`/group/${bare}/team`)).body.isArchived).toBe(true);
    expect((await directory.post(`/teams/${bare}/unarchive`)).status).toBe(202);
    for (const path of [`/groups/${bare}/team`, `/group/${bare}/team`, `/teams/${bare}`]) {
      const { value } = (await directory.get(`${path}/channels`)).body;
      expect(value).toMatchObject([{ displayName: 'General', membershipType: 'standard' }]);
      expect((await directory.get(`${path}/channels/${value[0].id}`)).body.id).toBe(value[0].id);
      expect((await directory.get(`${path}/channels/other`)).status).toBe(404);
      expect((await directory.get(`${path}/primaryChannel`)).body.id).toBe(value[0].id);
    }
    await directory.post(`/groups/${bare}/members/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(2)}`,
    });
    expect((await directory.get(`/users/${id(2)}/joinedTeams`)).body.value).toMatchObject([
      { id: bare },
    ]);
    expect(
      (
        await directory.get('/me/teamwork/associatedTeams', {
          as: person(id(2), ['Team.ReadBasic.All']),
        })
      ).body.value,
    ).toHaveLength(1);
  });
});
