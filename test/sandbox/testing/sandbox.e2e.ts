import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../../../sandbox/testing/browser.js';
import { root } from '../../support/cli.js';
import { freePort } from '../../support/ports.js';
import { Sandbox } from '../../../testing/index.js';

const files = `${root}/examples/storefront`;
const seed = readFileSync(`${files}/seed.yaml`, 'utf8');

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await Sandbox.start({ files, seed })));
afterAll(() => sandbox.stop());

test('deploys, signs people in, moves the time and returns to its start', async () => {
  const { directory } = sandbox.as();
  const up = await sandbox.castellan('up');
  expect(up, up.stderr).toMatchObject({ exitCode: 0 });

  const ada = await sandbox.signIn('ada@contoso.example', 'storefront');
  expect((await ada('/')).status).toBe(200);
  await expect(sandbox.signIn('grace@contoso.example', 'storefront')).rejects.toThrow(
    /answered 403/,
  );

  const { id } = await directory.groups.create({
    displayName: 'Short-lived',
    mailNickname: 'short-lived',
    mailEnabled: true,
    securityEnabled: false,
    groupTypes: ['Unified'],
  });
  await directory.groups.delete(id);
  expect(await directory.deletedItems.get(id)).toMatchObject({ id });
  const before = await sandbox.clock.now();
  const after = await sandbox.clock.advance('31d');
  expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(31 * 86_400_000);
  await expect(directory.deletedItems.get(id)).rejects.toThrow(/does not exist/);

  await sandbox.reset();
  const plan = await sandbox.castellan('plan', '--json');
  expect(plan.stdout).toContain('"create"');
});

test('is copied to another port, where a plan shows no changes and people sign in', async () => {
  const up = await sandbox.castellan('up');
  expect(up, up.stderr).toMatchObject({ exitCode: 0 });
  const port = String(await freePort());
  const fork = await sandbox.castellan('sandbox', 'fork', 'trial', '--port', port);
  expect(fork, fork.stderr).toMatchObject({ exitCode: 0 });
  try {
    const plan = await sandbox.castellan('plan', '-e', 'trial');
    expect(plan, plan.stderr).toMatchObject({ exitCode: 0 });
    expect(plan.stdout).toContain('storefront: no changes');
    const browse = openBrowser(
      readFileSync(join(sandbox.folder, '.castellan/environments/trial/ca.pem'), 'utf8'),
    );
    const encodedRedirectUrl = encodeURIComponent(`https://storefront.localhost:${port}/`);
    const page = await browse(
      `https://localhost:${port}/sign-in-as/ada@contoso.example?to=${encodedRedirectUrl}`,
    );
    expect([page.status, page.url]).toEqual([200, decodeURIComponent(encodedRedirectUrl)]);
  } finally {
    await sandbox.castellan('sandbox', 'stop', '-e', 'trial');
  }
  await sandbox.reset();
});

test('records what a part of a test calls', async () => {
  const file = join(sandbox.folder, 'calls.har');
  await sandbox.recording.start(file);
  await sandbox.as('ada@contoso.example').fetch('/v1.0/me?$select=id');
  expect(await sandbox.recording.stop()).toBe(2);
  await sandbox.as().fetch('/v1.0/groups');
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as {
    log: { entries: { request: { url: string } }[] };
  };
  expect(log.entries.map(({ request }) => new URL(request.url).pathname.split('/').at(-1))).toEqual(
    ['token', 'me'],
  );
  await expect(sandbox.recording.start('/nowhere/calls.har')).rejects.toThrow("can't be written");
});

test('acts as a person, and says when there is none', async () => {
  const me = await sandbox.as('ada@contoso.example').directory.me.get();
  expect(me.userPrincipalName).toBe('ada@contoso.example');
  await expect(sandbox.as('nobody@contoso.example').directory.me.get()).rejects.toThrow(
    /nobody@contoso.example/,
  );
  await expect(sandbox.signIn('ada@contoso.example', 'nowhere')).rejects.toThrow(
    'there is no app "nowhere"',
  );
});
