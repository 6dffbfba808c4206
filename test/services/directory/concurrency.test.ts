import { onEveryEngine } from './support/engines.js';
import { TestDirectory, id, user } from './support/directory.js';

onEveryEngine('concurrent changes', (open) => {
  let directory: TestDirectory;
  beforeAll(async () => {
    const users = Array.from({ length: 60 }, (_, index) => user(id(index + 1)));
    directory = await TestDirectory.start({ database: await open(), seed: { users } });
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });
  const reference = (number: number): unknown => ({
    '@odata.id': `http://x/v1.0/users/${id(number)}`,
  });

  it('lose no member and count each once', async () => {
    const group = `/groups/${(await directory.group())['id']}`;
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
    const answers = await Promise.all(
      [...numbers, ...numbers].map((number) =>
        directory.post(`${group}/members/$ref`, reference(number)),
      ),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(60);
    expect((await directory.advanced(`${group}/members/$count`)).text).toBe('60');
  });

  it('lose no property that another change has set', async () => {
    const group = `/groups/${(await directory.group())['id']}`;
    const changes = [
      { description: 'd' },
      { displayName: 'n' },
      { theme: 'Teal' },
      { preferredLanguage: 'en' },
      { classification: 'c' },
    ];
    const answers = await Promise.all(changes.map((change) => directory.patch(group, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 204));
    expect((await directory.get(group)).body).toMatchObject(Object.assign({}, ...changes));
  });

  it('never remove both owners when one must stay', async () => {
    const owners = {
      'owners@odata.bind': [1, 2].map((number) => `http://x/v1.0/users/${id(number)}`),
    };
    const group = `/groups/${(await directory.group({ ...owners, groupTypes: ['Unified'], mailEnabled: true }))['id']}`;
    const answers = await Promise.all(
      [1, 2].map((number) => directory.delete(`${group}/owners/${id(number)}/$ref`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it('never give one nickname to two unified groups', async () => {
    const body = {
      displayName: 'Same',
      mailNickname: 'same',
      mailEnabled: true,
      securityEnabled: false,
      groupTypes: ['Unified'],
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => directory.post('/groups', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201, 400, 400, 400, 400, 400, 400, 400,
    ]);
  });

  /**
   * @claim etags: If-Match with another ETag is 412.
   * @guess the page of groups names no ETag; that the directory honours If-Match on groups was
   *   not observed
   */
  it('are detected by ETags if the client sends them', async () => {
    const group = `/groups/${(await directory.group())['id']}`;
    const etag = String((await directory.get(group)).headers['etag']);
    const headers = { 'if-match': etag };
    const answers = await Promise.all(
      [1, 2, 3].map((number) =>
        directory.patch(group, { description: String(number) }, { headers }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412]);
  });

  it('of a request that fails half-way are undone completely', async () => {
    const group = `/groups/${(await directory.group({ 'members@odata.bind': [`http://x/v1.0/users/${id(5)}`] }))['id']}`;
    const bind = [6, 7, 5].map((number) => `http://x/v1.0/users/${id(number)}`);
    expect(
      (await directory.patch(group, { description: 'half', 'members@odata.bind': bind })).status,
    ).toBe(400);
    expect((await directory.get(group)).body.description).toBeNull();
    expect((await directory.advanced(`${group}/members/$count`)).text).toBe('1');
  });
});
