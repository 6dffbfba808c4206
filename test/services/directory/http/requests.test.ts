import { gzipSync } from 'node:zlib';
import { deepBodies } from '../../common/support/deep-bodies.js';
import {
  type Answer,
  TestDirectory,
  id,
  person,
  securityGroup,
  user,
} from '../support/directory.js';

describe('malformed and unsupported requests', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ seed: { users: [user(id(1))] } });
  });
  afterAll(() => directory.stop());

  it.each([
    '/groups/%',
    '/groups/%zz',
    '/groups/%ff',
    '/groups/%c3%28/members',
    "/groups(uniqueName='%e0%a4')",
  ])("answers the wrongly encoded path %s with 400 in the directory's shape", async (path) => {
    const answer = await directory.get(path);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: 'Request_BadRequest',
      innerError: { 'request-id': answer.headers['request-id'] },
    });
  });

  it('accepts an encoded percent sign as part of a key', async () => {
    expect((await directory.get("/groups(uniqueName='100%25')")).body.error.message).toContain(
      "'100%'",
    );
  });

  it.each([
    "/applications(constructor='x')",
    "/servicePrincipals(toString='x')/owners",
    "/devices(__proto__='x')",
    "/users(hasOwnProperty='x')/manager",
  ])('finds nothing by the key of %s, which no object has', async (path) => {
    expect((await directory.get(path)).status).toBe(404);
  });

  it('finds a user by name in parentheses, also for what belongs to the user', async () => {
    const { userPrincipalName } = user(id(1));
    const path = `/users(userPrincipalName='${String(userPrincipalName)}')`;
    expect((await directory.get(path)).body.id).toBe(id(1));
    expect((await directory.get(`${path}/memberOf`)).status).toBe(200);
    const own = { as: person(id(1), ['User.Read']) };
    expect((await directory.get(path, own)).status).toBe(200);
  });

  it('finds the memberships of an object by its alternate key', async () => {
    const group = await directory.group({ uniqueName: 'by-key' });
    const path = "/groups(uniqueName='by-key')";
    expect((await directory.get(path)).body.id).toBe(group['id']);
    for (const name of ['memberOf', 'transitiveMemberOf', 'memberOf/$ref'])
      expect((await directory.get(`${path}/${name}`)).status).toBe(200);
    expect((await directory.post(`${path}/getMemberObjects`, {})).status).toBe(200);
  });

  it('finds an object by a key with a parenthesis', async () => {
    await directory.group({ uniqueName: "a (b) 'c" });
    await directory.group({ uniqueName: '(/' });
    for (const key of ["a (b) ''c", '(/'])
      expect(
        (await directory.post(`/groups(uniqueName='${key}')/getMemberGroups()`, {})).status,
      ).toBe(200);
  });

  it('returns no property that only JavaScript objects have', async () => {
    const { id: group } = await directory.group();
    const answer = await directory.get(
      `/groups/${group}?$select=id,constructor,__proto__,toString`,
    );
    expect(Object.keys(answer.body)).toEqual(['@odata.context', 'id']);
  });

  it.each([
    ['HEAD', '/groups', 405],
    ['OPTIONS', '/groups', 405],
    ['PUT', '/groups', 405],
    ['GET', '/nothing', 404],
    ['GET', '/', 404],
  ])('answers %s %s with %i and request ids', async (method, path, status) => {
    const answer = await directory.ask(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
    if (status === 405)
      expect(String(answer.headers['allow']).split(', ').sort()).toEqual(['GET', 'POST']);
  });

  it.each([
    ['text/html', '/groups', 406],
    ['application/xml', '/groups', 406],
    ['text/html, application/*;q=0.8', '/groups', 200],
    ['text/html, */*;q=0.1', '/groups', 200],
    ['application/json; charset=utf-8; IEEE754Compatible=false', '/groups', 200],
    ['application/problem+json', '/groups', 200],
    ['', '/groups', 200],
    ['text/plain', '/groups/$count', 200],
    ['text/html', '/nothing', 404],
  ])('answers Accept: %s at %s with %i', async (accept, path, status) => {
    expect(
      (await directory.get(path, { headers: { accept, consistencylevel: 'eventual' } })).status,
    ).toBe(status);
  });

  it.each(deepBodies)('answers %s with 400', async (_name, text) => {
    const headers = { 'content-type': 'application/json' };
    for (const path of ['/groups', '/users', '/$batch', `/users/${id(1)}/checkMemberGroups`])
      expect([path, (await directory.post(path, text, { headers })).status]).toEqual([path, 400]);
    expect((await directory.patch(`/users/${id(1)}`, text, { headers })).status).toBe(400);
  });

  it('reads bodies that are compressed by gzip, as the Go clients of the cloud send them', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const post = (body: Buffer): Promise<Answer> => directory.post('/groups', body, { headers });
    const created = await post(gzipSync(JSON.stringify(securityGroup({ displayName: 'Zipped' }))));
    expect([created.status, created.body.displayName]).toEqual([201, 'Zipped']);
    expect((await post(Buffer.from([31, 139, 1, 2]))).status).toBe(400);
    expect((await post(gzipSync(Buffer.alloc(33 * 1024 * 1024, ' ')))).status).toBe(413);
  });

  it('answers 401 before anything else', async () => {
    for (const path of ['/groups/%zz', '/nothing', '/groups'])
      expect([
        path,
        (await directory.get(path, { headers: { authorization: 'Bearer wrong' } })).status,
      ]).toEqual([path, 401]);
  });
});
