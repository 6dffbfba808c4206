import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchTrusting } from '../../../clients/common/index.js';
import type { Har } from '../../../sandbox/recording/har.js';
import { castellan, startCastellan } from '../../support/cli.js';
import { startSandbox, type TestSandbox } from '../e2e-support.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

test('a sandbox is recorded from one command to another, and replayed without it', async () => {
  const { folder } = sandbox;
  const file = join(folder, 'calls.har');
  const run = (...args: string[]) => castellan(['sandbox', ...args, '--project', folder]);
  expect((await run('record')).stdout).toBe('nothing is recorded\n');
  expect((await run('record', file)).stdout).toBe(`records in ${file}: 0 calls so far\n`);
  const { body } = await sandbox.api('GET', '/v1.0/users?$select=displayName');
  expect((await run('record', 'off', '--json')).stdout).toMatch(/"calls": ?\d/);
  await sandbox.api('GET', '/v1.0/groups');

  const har = JSON.parse(readFileSync(file, 'utf8')) as Har;
  expect(har.log.entries.map(({ request: { method, url } }) => [method, url])).toContainEqual([
    'GET',
    `${sandbox.origin}/v1.0/users?$select=displayName`,
  ]);
  const text = JSON.stringify(har);
  expect(text).toContain('grant_type=client_credentials');
  for (const secret of [sandbox.settings.clientSecret, sandbox.settings.adminToken])
    expect(text).not.toContain(secret);

  const replaying = await startCastellan(['sandbox', 'replay', file, '--project', folder]);
  const { listening } = replaying.ready;
  const answer = await fetchTrusting(sandbox.ca)(`${listening}/v1.0/users?$select=displayName`, {});
  expect((await answer.json()) as object).toMatchObject({ value: body.value });
  expect(await replaying.stop('SIGINT')).toBe(0);
});
