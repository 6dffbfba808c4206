import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { AppLog, appLogFile } from '../../../sandbox/hosting/app-log.js';
import { startCommand } from '../../../sandbox/hosting/command-workload.js';
import { Processes } from '../../../sandbox/hosting/processes.js';
import type { ReplicaContext, WorkloadSpec } from '../../../sandbox/hosting/workload.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-command-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const start = (
  script: string,
  signal = new AbortController().signal,
  onEnd: () => void = () => undefined,
  openOutput: ReplicaContext['openOutput'] = () => () => undefined,
) => {
  const spec = { app: 'web', workingDirectory: folder, env: {} } as unknown as WorkloadSpec;
  return startCommand(
    { ...spec, command: `${process.execPath} -e "${script}"` },
    { index: 0, openOutput, onEnd, signal },
    new Processes(join(mkdtempSync(join(folder, 'run-')), 'processes.json')),
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

test('the last words of a command that ends at once are kept, on a line of their own', async () => {
  const log = new AppLog(folder, 'web', () => new Date(0));
  const workloads = await Promise.all(
    Array.from({ length: 20 }, () =>
      start("process.stderr.write('no database')", undefined, undefined, () => log.writer(0)),
    ),
  );
  expect(new Set(workloads.map((each) => each.failure()))).toEqual(
    new Set(['the command ended (exit code 0): no database']),
  );
  const lines = readFileSync(appLogFile(folder, 'web'), 'utf8').trimEnd().split('\n');
  expect(new Set(lines.map((line) => line.slice('1970-01-01T00:00:00.000Z 0 '.length)))).toEqual(
    new Set(['no database', 'castellan: the command ended (exit code 0)']),
  );
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
