import { spoiledBodies } from '../../../support/spoiled-bodies.js';
import { unrestrictedCaller } from '../../../../services/common/caller.js';
import {
  id,
  person,
  securityGroup,
  TestDirectory,
  unifiedGroup,
  user,
} from '../support/directory.js';
import { bodies, meeting, post, conversation } from '../support/valid-bodies.js';

let directory: TestDirectory;
let ids: Record<
  | 'group'
  | 'security'
  | 'app'
  | 'appId'
  | 'principal'
  | 'unit'
  | 'thread'
  | 'post'
  | 'conversation'
  | 'event'
  | 'policy',
  string
>;
const administrator = person(
  id(1),
  ['Group.ReadWrite.All', 'Directory.ReadWrite.All', 'Mail.Send'],
  ['globalAdministrator'],
);

beforeAll(async () => {
  directory = await TestDirectory.start({
    dialect: 'azure',
    seed: { users: [user(id(1)), user(id(2))] },
  });
  const create = async (path: string, body: object): Promise<Record<string, string>> =>
    (await directory.post(path, body)).body;
  const { id: group = '' } = await create('/groups', unifiedGroup({ securityEnabled: true }));
  const { id: security = '' } = await create('/groups', securityGroup());
  const app = await create('/applications', { displayName: 'App' });
  const { id: principal = '' } = await create('/servicePrincipals', { appId: app['appId'] });
  const { id: unit = '' } = await create('/directory/administrativeUnits', {
    displayName: 'Unit',
  });
  const { id: conversationId = '' } = (
    await directory.post(`/groups/${group}/conversations`, conversation, { as: administrator })
  ).body;
  const { value: threads } = (
    await directory.get(`/groups/${group}/threads`, { as: administrator })
  ).body;
  const { value: posts } = (
    await directory.get(`/groups/${group}/threads/${threads[0].id}/posts`, { as: administrator })
  ).body;
  const { id: event = '' } = (
    await directory.post(`/groups/${group}/events`, meeting, { as: administrator })
  ).body;
  const { value } = (
    await directory.get(
      `/policies/roleManagementPolicies?$filter=scopeId eq '${security}' and scopeType eq 'Group'`,
    )
  ).body;
  ids = {
    group,
    security,
    app: app['id'] ?? '',
    appId: app['appId'] ?? '',
    principal,
    unit,
    thread: threads[0].id,
    post: posts[0].id,
    conversation: conversationId,
    event,
    policy: value[0].id,
  };
});
afterAll(() => directory.stop());

test.each(bodies)(
  '%s %s: no value of a wrong type makes the service fail',
  async (method, path, body) => {
    const fill = (template: string): string =>
      template.replaceAll(/\{(\w+)\}/g, (whole, name) =>
        name === 'user' ? id(1) : (ids[name as keyof typeof ids] ?? whole),
      );
    const failures: string[] = [];
    const validBody = JSON.parse(fill(JSON.stringify(body))) as object;
    for (const [place, spoiled] of spoiledBodies(validBody)) {
      const { status, text } = await directory.ask(method, fill(path), spoiled, {
        as: /conversations|threads/.test(path) ? administrator : unrestrictedCaller,
      });
      if (status >= 500) failures.push(`${place}: ${text.slice(0, 200)}`);
    }
    expect(failures).toEqual([]);
  },
);

test.each([
  ['a topic that is no string', [{ topic: 7, posts: [post] }]],
  ['posts that are no list', [{ topic: 'a', posts: 'text' }]],
  ['a thread that is null', [null]],
])('a conversation with %s is refused', async (_mistake, threads) => {
  const path = `/groups/${ids.group}/conversations`;
  expect(
    (await directory.post(path, { topic: 'Lunch', threads }, { as: administrator })).status,
  ).toBe(400);
});

test('a thread without its own topic, or with null, has that of its conversation', async () => {
  const path = `/groups/${ids.group}/conversations`;
  const { body } = await directory.post(
    path,
    { topic: 'Tea', threads: [{ topic: null, posts: [post] }] },
    { as: administrator },
  );
  expect(
    (
      await directory.get(`/groups/${ids.group}/threads/${body.threads[0].id}`, {
        as: administrator,
      })
    ).body.topic,
  ).toBe('Tea');
});
