import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startCommand } from '../../../sandbox/hosting/command-workload.js';
import { Processes } from '../../../sandbox/hosting/processes.js';
import type { WorkloadSpec } from '../../../sandbox/hosting/workload.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-command-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const start = (script: string, signal = new AbortController().signal, onEnd = () => undefined) => {
  const spec = { app: 'web', workingDirectory: folder, env: {} } as unknown as WorkloadSpec;
  return startCommand(
    { ...spec, command: `${process.execPath} -e "${script}"` },
    { index: 0, output: () => () => undefined, onEnd, signal },
    new Processes(join(folder, 'processes.json')),
    pino({ level: 'silent' }),
  );
};

test('a cancelled start ends a command that does not listen yet', async () => {
  const cancel = new AbortController();
  const starting = start('setTimeout(() => 0, 60_000)', cancel.signal);
  cancel.abort();
  const workload = await starting;
  expect([workload.isReady(), workload.failure()]).toEqual([
    false,
    'the start of the command was cancelled',
  ]);
});

test('a command that ends says why by its last words', async () => {
  const workload = await start("console.error('no database'); setTimeout(() => console.log(), 50)");
  expect(workload.failure()).toBe('the command ended (exit code 0): no database');
});

test('the end of a running command is reported', async () => {
  const ends = new EventTarget();
  const script =
    "require('net').createServer((socket) => process.exit(3)).listen(process.env.PORT)";
  const ended = once(ends, 'end');
  const workload = await start(script, undefined, () => void ends.dispatchEvent(new Event('end')));
  await ended; // the connection by which its start was noticed ends it
  expect(workload.failure()).toBe('the command ended (exit code 3)');
});

test('a command that listens on ::1 only, as on localhost, is reached all the same', async () => {
  const script =
    "require('http').createServer((_, response) => response.end('hello')).listen(process.env.PORT, '::1')";
  const workload = await start(script);
  const url = `http://127.0.0.1:${workload.port}/`;
  expect([workload.failure(), await (await fetch(url)).text()]).toEqual([undefined, 'hello']);
  await workload.stop();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
