import {
  TestDirectory,
  application,
  id,
  person,
  securityGroup,
  user,
} from '../support/directory.js';

interface Response {
  readonly id: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of any shape
  readonly body: any;
}

describe('$batch', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ seed: { users: [user(id(1)), user(id(2))] } });
  });
  afterAll(() => directory.stop());

  const batch = async (
    requests: readonly object[],
    options?: Parameters<TestDirectory['post']>[2],
  ): Promise<Record<string, Response>> => {
    const answer = await directory.post('/$batch', { requests }, options);
    expect(answer.status).toBe(200);
    return Object.fromEntries(
      (answer.body.responses as Response[]).map((response) => [response.id, response]),
    );
  };
  const json = { 'Content-Type': 'application/json' };

  /**
   * @claim batch: $batch answers up to 20 requests, each as if it had been sent alone.
   * @source https://learn.microsoft.com/graph/json-batching
   */
  it('answers each request as if it had been sent alone, including failures', async () => {
    const answers = await batch([
      { id: 'a', method: 'GET', url: `/users/${id(1)}?$select=id` },
      { id: 'b', method: 'GET', url: `users/${id(404)}` },
      {
        id: 'c',
        method: 'POST',
        url: '/groups',
        headers: json,
        body: securityGroup({ displayName: 'Batched' }),
      },
      { id: 'd', method: 'GET', url: '/users/$count', headers: { ConsistencyLevel: 'eventual' } },
      { id: 'e', method: 'GET', url: '/users/$count' },
    ]);
    expect(answers['a']).toMatchObject({ status: 200, body: { id: id(1) } });
    expect(answers['a']?.headers['Content-Type']).toMatch(/^application\/json/);
    expect(answers['b']).toMatchObject({
      status: 404,
      body: { error: { code: 'Request_ResourceNotFound' } },
    });
    expect(answers['c']).toMatchObject({ status: 201, body: { displayName: 'Batched' } });
    expect(answers['c']?.headers['Location']).toBe(
      `http://directory.test/v1.0/groups/${answers['c']?.body.id}`,
    );
    expect(answers['d']).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: '2',
    });
    expect(answers['e']).toMatchObject({ status: 400 });
  });

  it('uses only the path after the version of full addresses', async () => {
    const urls = [
      `http://directory.test/v1.0/users/${id(1)}?$select=id`,
      `/beta/users/${id(1)}`,
      `v1.0/users/${id(1)}`,
      `//users/${id(1)}`,
    ];
    const answers = await batch(
      urls.map((url, index) => ({ id: String(index), method: 'GET', url })),
    );
    expect(Object.values(answers).map(({ status, body }) => [status, body.id])).toEqual(
      urls.map(() => [200, id(1)]),
    );
  });

  /**
   * @claim batch-depends-on: A request waits for those that dependsOn names, and is 424 if one
   *   of them fails.
   * @source https://learn.microsoft.com/graph/json-batching
   */
  it('runs dependent requests after the others, and not at all when those fail', async () => {
    const group = await directory.group();
    const answers = await batch([
      { id: '3', method: 'GET', url: `/groups/${group['id']}`, dependsOn: ['2'] },
      {
        id: '2',
        method: 'PATCH',
        url: `/groups/${group['id']}`,
        headers: json,
        body: { description: 'two' },
        dependsOn: ['1'],
      },
      {
        id: '1',
        method: 'PATCH',
        url: `/groups/${group['id']}`,
        headers: json,
        body: { description: 'one' },
      },
      {
        id: 'bad',
        method: 'PATCH',
        url: `/groups/${group['id']}`,
        headers: json,
        body: { displayName: '' },
      },
      { id: 'after', method: 'DELETE', url: `/groups/${group['id']}`, dependsOn: ['bad'] },
      { id: 'last', method: 'GET', url: `/groups/${group['id']}`, dependsOn: ['after'] },
    ]);
    expect(answers['3']?.body.description).toBe('two');
    expect([answers['2']?.status, answers['2']?.body]).toEqual([204, undefined]);
    expect([answers['bad']?.status, answers['after']?.status, answers['last']?.status]).toEqual([
      400, 424, 424,
    ]);
    expect((await directory.get(`/groups/${group['id']}`)).status).toBe(200);
  });

  it('checks each request against the permissions of the caller', async () => {
    const options = person(id(1), ['User.Read']);
    const answers = await batch(
      [
        { id: '1', method: 'GET', url: '/me' },
        { id: '2', method: 'GET', url: '/groups' },
      ],
      { as: options },
    );
    expect([answers['1']?.body.id, answers['2']?.status]).toEqual([id(1), 403]);
    expect(answers['2']?.body.error.code).toBe('Authorization_RequestDenied');
    const app = await batch([{ id: '1', method: 'GET', url: '/me' }], {
      as: application(id(9), ['User.Read.All']),
    });
    expect(app['1']?.status).toBe(400);
  });

  it('transfers pictures in base64, both ways', async () => {
    const { body } = await directory.post('/groups', {
      ...securityGroup(),
      groupTypes: ['Unified'],
      mailEnabled: true,
    });
    const picture = 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=';
    const photo = `/groups/${body.id}/photo/$value`;
    const answers = await batch([
      {
        id: '1',
        method: 'PUT',
        url: photo,
        headers: { 'Content-Type': 'image/gif' },
        body: picture,
      },
      { id: '2', method: 'GET', url: photo, dependsOn: ['1'] },
    ]);
    expect(answers['2']).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'image/gif' },
      body: picture,
    });
  });

  it.each([
    ['no requests', {}],
    ['a request that is none', { requests: [null] }],
    [
      'headers that are none',
      { requests: [{ id: '1', method: 'GET', url: '/users', headers: 'x' }] },
    ],
    [
      'a list of dependencies that is none',
      { requests: [{ id: '1', method: 'GET', url: '/users', dependsOn: '1' }] },
    ],
    ['an empty list', { requests: [] }],
    ['a request without id', { requests: [{ method: 'GET', url: '/users' }] }],
    ['a request without url', { requests: [{ id: '1', method: 'GET' }] }],
    ['an unknown method', { requests: [{ id: '1', method: 'BREW', url: '/users' }] }],
    [
      'an id given twice',
      { requests: ['1', '1'].map((each) => ({ id: each, method: 'GET', url: '/users' })) },
    ],
    [
      'a body without content type',
      { requests: [{ id: '1', method: 'POST', url: '/groups', body: {} }] },
    ],
    [
      'an unknown dependency',
      { requests: [{ id: '1', method: 'GET', url: '/users', dependsOn: ['2'] }] },
    ],
    [
      'a circle',
      {
        requests: [
          { id: '1', method: 'GET', url: '/users', dependsOn: ['2'] },
          { id: '2', method: 'GET', url: '/users', dependsOn: ['1'] },
        ],
      },
    ],
    [
      '21 requests',
      {
        requests: Array.from({ length: 21 }, (_, index) => ({
          id: String(index),
          method: 'GET',
          url: '/users',
        })),
      },
    ],
  ])('refuses %s', async (_what, body) => {
    const answer = await directory.post('/$batch', body);
    expect([answer.status, typeof answer.body.error.message]).toEqual([400, 'string']);
  });

  it('returns null for missing values, and refuses a nested batch', async () => {
    const answers = await batch([
      {
        id: '1',
        method: 'get',
        url: '/users?$select=id',
        headers: null,
        body: null,
        dependsOn: null,
      },
      { id: '2', method: 'POST', url: '/$batch', headers: json, body: { requests: [] } },
      { id: '3', method: 'GET', url: 'http://elsewhere.test/v1.0/users' },
    ]);
    expect([answers['1']?.status, answers['2']?.status, answers['3']?.status]).toEqual([
      200, 404, 404,
    ]);
  });

  it('requires a token', async () => {
    const answer = await directory.post(
      '/$batch',
      { requests: [] },
      { headers: { authorization: '' } },
    );
    expect(answer.status).toBe(401);
  });
});
