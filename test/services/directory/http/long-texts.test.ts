import { TestDirectory, id, securityGroup, unifiedGroup, user } from '../support/directory.js';

/** Far below the limit of a body; a check whose time grows with its square takes seconds. */
const length = 100_000;
const maxMs = 500;

describe('long texts in bodies', () => {
  let directory: TestDirectory;
  let group: string;
  let unified: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({ seed: { users: [user(id(1))] } });
    group = (await directory.post('/groups', securityGroup())).body.id;
    unified = (await directory.post('/groups', unifiedGroup())).body.id;
  });
  afterAll(() => directory.stop());

  const reference = { '@odata.id': 'a'.repeat(length) };
  const post = { body: { contentType: 'html', content: '<'.repeat(length) } };
  const invitation = {
    invitedUserEmailAddress: `a@${'.'.repeat(length)} `,
    inviteRedirectUrl: 'https://shop.example',
  };

  it.each([
    ['a reference', () => directory.post(`/groups/${group}/members/$ref`, reference)],
    ['an address', () => directory.post('/invitations', invitation)],
    [
      'a post',
      async () => {
        await directory.post(`/groups/${unified}/threads`, { topic: 't', posts: [post] });
        return directory.get(`/groups/${unified}/threads`);
      },
    ],
  ])('do not keep the service busy: %s', async (_what, send) => {
    const start = performance.now();
    await send();
    expect(performance.now() - start).toBeLessThan(maxMs);
  });
});
