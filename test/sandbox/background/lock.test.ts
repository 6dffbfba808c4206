import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLocked, takeLock } from '../../../sandbox/background/lock.js';
import { engineModule } from '../../../services/common/sqlite.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('only one process has a lock at a time, and others can take it after its release', () => {
  const path = join(folder, 'a.lock');
  expect(isLocked(path)).toBe(false);
  expect(existsSync(path)).toBe(false);
  const lock = takeLock(path);
  expect(takeLock(path)).toBeUndefined();
  expect(isLocked(path)).toBe(true);
  lock?.release();
  expect(isLocked(path)).toBe(false);
});

test('a lock ends with its process, even by kill -9', async () => {
  const path = join(folder, 'b.lock');
  const { module, member } = engineModule();
  const engine = `require(${JSON.stringify(module)})${member === undefined ? '' : `.${member}`}`;
  const holder = `const E = ${engine}; const d = new E(${JSON.stringify(path)}); d.exec('pragma locking_mode = exclusive; begin exclusive'); console.log('held'); setInterval(() => 0, 1000);`;
  const child = spawn(process.execPath, ['-e', holder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done) => child.stdout.once('data', done));
  expect(isLocked(path)).toBe(true);
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
  expect(isLocked(path)).toBe(false);
});
