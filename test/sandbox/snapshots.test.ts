import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../sandbox/background/lock.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import { forkSandbox } from '../../sandbox/fork-sandbox.js';
import { createSettings, writeSettings } from '../../sandbox/settings.js';
import { rewindSandbox } from '../../sandbox/snapshots.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-snapshots-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a rewind changes no file where no sandbox runs', async () => {
  const { root, snapshots, seed } = sandboxPaths(folder);
  mkdirSync(join(snapshots, 'start'), { recursive: true });
  writeFileSync(join(snapshots, 'start/seed.yaml'), 'users: []');
  writeFileSync(seed, 'groups: []');
  writeFileSync(join(root, 'terraform.shop.tfstate'), '{}');
  await expect(rewindSandbox(folder, 'start')).rejects.toMatchObject({ code: 'CAS4012' });
  expect(readFileSync(seed, 'utf8')).toBe('groups: []');
  expect(existsSync(join(root, 'terraform.shop.tfstate'))).toBe(true);
});

test('a sandbox that runs without a database file, on PostgreSQL, is not replaced by a copy', async () => {
  const [from, to] = [sandboxPaths(folder), sandboxPaths(folder, 'copy')];
  for (const { root } of [from, to]) mkdirSync(root, { recursive: true });
  writeSettings(from, createSettings(20_000));
  writeFileSync(from.database, '');
  const origin = 'https://localhost:20001';
  writeFileSync(to.state, JSON.stringify({ pid: process.pid, origin }));
  writeFileSync(to.seed, 'groups: []');
  const lock = takeLock(to.lock);
  await expect(forkSandbox(folder, { name: 'copy', port: 20_002 })).rejects.toMatchObject({
    code: 'CAS4021',
  });
  lock?.release();
  expect(readFileSync(to.seed, 'utf8')).toBe('groups: []');
});
