import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Processes } from '../../../sandbox/hosting/processes.js';

let folder: string;
let processes: Processes;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-processes-'));
  processes = new Processes(join(folder, 'processes.json'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const spawnSleep = () => processes.spawn('sleep', ['60'], { stdio: 'ignore' });

test('a process has a record until it ends', async () => {
  const child = spawnSleep();
  const records = () => JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8'));
  expect(records()).toEqual([{ pid: child.pid, began: expect.stringMatching(/./) as string }]);
  child.kill();
  await once(child, 'exit');
  expect(records()).toEqual([]);
});

test('the end of a process is survived where its record can not be removed', async () => {
  const child = spawnSleep();
  rmSync(folder, { recursive: true });
  child.kill();
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

test('a process whose record can not be written is ended at once', async () => {
  const unwritable = new Processes(join(folder, 'missing', 'processes.json'));
  const marker = join(folder, 'went-on');
  const script = `sleep 0.3; touch ${marker}`;
  expect(() => unwritable.spawn('sh', ['-c', script], { stdio: 'ignore' })).toThrow('ENOENT');
  await wait(600);
  expect(existsSync(marker)).toBe(false);
});
