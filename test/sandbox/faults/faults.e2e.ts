import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, root } from '../../support/cli.js';
import { type Fault, Sandbox } from '../../../testing/index.js';

const files = `${root}/examples/storefront`;
const seed = readFileSync(`${files}/seed.yaml`, 'utf8');

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await Sandbox.start({ files, seed })));
afterEach(() => sandbox.faults.off());
afterAll(() => sandbox.stop());

const fetchFromSandbox = (path: string, init: RequestInit = {}): Promise<Response> =>
  sandbox.as().fetch(path, { signal: AbortSignal.timeout(1500), ...init });

test.each<[Fault, string | number]>([
  [{ fault: 'throttled', retryAfter: 3 }, 429],
  [{ fault: 'unavailable' }, 503],
  [{ fault: 'reset' }, 'TypeError'],
  [{ fault: 'hang' }, 'TimeoutError'],
  [{ fault: 'slow', seconds: 4 }, 'TimeoutError'],
])('injects %j into the operation that it names', async (fault, expected) => {
  await sandbox.faults.set([{ ...fault, service: 'directory', operation: 'GET /groups' }]);
  const outcome = await fetchFromSandbox('/v1.0/groups').then(
    async (answer) => {
      expect(answer.headers.get('retry-after')).toBe(String(fault.retryAfter ?? 1));
      expect(await answer.json()).toMatchObject({ error: { code: expect.any(String) as string } });
      return answer.status;
    },
    (error: Error) => error.name,
  );
  expect(outcome).toBe(expected);
  expect((await fetchFromSandbox('/v1.0/users')).status).toBe(200);
  expect((await fetchFromSandbox('/v1/workspaces')).status).toBe(200);
  expect((await sandbox.faults.reading()).met).toEqual([1]);
});

test('a new group is not there yet, and then it is', async () => {
  await sandbox.faults.set([
    { fault: 'notYetFound', service: 'directory', seconds: 2 },
    { fault: 'staleList', service: 'directory', seconds: 2 },
  ]);
  const { id } = await sandbox.as().directory.groups.create({
    displayName: 'young',
    mailNickname: 'young',
    mailEnabled: false,
    securityEnabled: true,
  });
  const isListed = async (): Promise<boolean> =>
    (await (await fetchFromSandbox("/v1.0/groups?$filter=displayName eq 'young'")).text()).includes(
      id,
    );
  const missing = await fetchFromSandbox(`/v1.0/groups/${id}`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({
    error: {
      code: 'Request_ResourceNotFound',
      message: expect.stringContaining(`Resource '${id}' does not exist`) as string,
    },
  });
  expect(await isListed()).toBe(false);
  await new Promise((done) => setTimeout(done, 2000));
  expect((await fetchFromSandbox(`/v1.0/groups/${id}`)).status).toBe(200);
  expect(await isListed()).toBe(true);
});

test('a fault strikes each request of a batch, in the words of the directory', async () => {
  const send = async (...requests: object[]): Promise<BatchedAnswer[]> => {
    const body = JSON.stringify({
      requests: requests.map((each, index) => ({ id: String(index), ...each })),
    });
    const answer = await fetchFromSandbox('/v1.0/$batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { responses: BatchedAnswer[] }).responses;
  };
  const groups = { method: 'GET', url: '/groups?$top=1' };
  const users = { method: 'GET', url: '/users?$top=1' };
  await sandbox.faults.set([
    { fault: 'throttled', service: 'directory', operation: 'GET /groups', retryAfter: 7 },
  ]);
  const [throttled, fine] = await send(groups, users);
  expect(throttled).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '7' },
    body: { error: { code: 'TooManyRequests' } },
  });
  expect(fine?.status).toBe(200);
  expect((await sandbox.faults.reading()).met).toEqual([1]);

  await sandbox.faults.set([
    { fault: 'notYetFound', service: 'directory', seconds: 60 },
    { fault: 'staleList', service: 'directory', seconds: 60 },
  ]);
  const [created] = await send({
    method: 'POST',
    url: '/groups',
    headers: { 'content-type': 'application/json' },
    body: {
      displayName: 'batched',
      mailNickname: 'batched',
      mailEnabled: false,
      securityEnabled: true,
    },
  });
  expect(created?.status).toBe(201);
  const list = { method: 'GET', url: "/groups?$filter=displayName eq 'batched'" };
  const [missing, stale] = await send({ method: 'GET', url: `/groups/${created?.body.id}` }, list);
  expect(missing).toMatchObject({
    status: 404,
    body: { error: { code: 'Request_ResourceNotFound' } },
  });
  expect(stale).toMatchObject({ status: 200, body: { value: [] } });
  await sandbox.faults.set([{ fault: 'reset', operation: 'POST /$batch' }]);
  await expect(send(groups)).rejects.toThrow();
});

interface BatchedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

test('castellan sandbox faults says what is wrong with faults, and which presets there are', async () => {
  const run = (...words: string[]): ReturnType<typeof castellan> =>
    castellan(['sandbox', 'faults', ...words], { cwd: sandbox.folder });
  expect((await run('consistensy')).stderr).toContain('did you mean "consistency"?');
  writeFileSync(join(sandbox.folder, 'faults.yaml'), 'faults:\n  - fault: slow\n    share: 2\n');
  expect((await run('--file', 'faults.yaml')).stderr).toContain('faults.yaml:3:12: "share" is 2');
  expect((await run('list')).stdout).toContain(
    'https://github.com/hashicorp/terraform-provider-azuread/issues/791',
  );
  expect((await run('throttling')).stdout).toContain('throttled, service directory, share 0.3');
  expect((await run()).stdout).toMatch(/^throttling:/);
  expect((await run('off')).stdout).toBe('no faults\n');
  await expect(sandbox.faults.set([{ fault: 'slow', share: -1 }])).rejects.toThrow('"share" is -1');
});

test('with faults of consistency the main job, the provider and the sign-in layer end well', async () => {
  await sandbox.faults.set('consistency');
  const up = await sandbox.castellan('up');
  expect(up, up.stderr).toMatchObject({ exitCode: 0 });
  const { met } = await sandbox.faults.reading();
  expect(met[0]).toBeGreaterThan(0);
  const plan = await sandbox.castellan('plan', '--json');
  expect(plan, plan.stderr).toMatchObject({ exitCode: 0 });
  expect(plan.stdout).not.toContain('"create"');
  const ada = await sandbox.signIn('ada@contoso.example', 'storefront');
  expect((await ada('/')).status).toBe(200);
});

test('an app loses the headers of the signed-in person', async () => {
  const ada = await sandbox.signIn('ada@contoso.example', 'storefront');
  const knowsAda = async (): Promise<boolean> =>
    (await (await ada('/')).text()).includes('X-SVC-CLIENT-PRINCIPAL-NAME');
  expect(await knowsAda()).toBe(true);
  await sandbox.faults.set([{ fault: 'lostPrincipal', service: 'app', share: 0.5 }]);
  const answers = new Set<boolean>();
  await expect.poll(async () => answers.add(await knowsAda()).size).toBe(2);
});

test('a person whose code can not be redeemed is not signed in', async () => {
  await sandbox.faults.set([
    { fault: 'unavailable', service: 'identity-provider', operation: 'POST /**' },
  ]);
  await expect(sandbox.signIn('ada@contoso.example', 'storefront')).rejects.toThrow(/answered 502/);
});

test('tokens of a clock that is ahead are not valid yet', async () => {
  await sandbox.faults.set('clock-ahead');
  await expect(sandbox.as().directory.me.get()).rejects.toThrow(/401/);
});

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
test('castellan sandbox faults needs a running sandbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-faults-'));
  folders.push(folder);
  const { stderr } = await castellan(['sandbox', 'faults', 'consistency'], { cwd: folder });
  expect(stderr).toContain('CAS4012');
});
