import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Rule } from '../engine/rule.js';
import type { PackConfig } from '../schemas/policy.js';
import type { PackAnswer, PackInput, PackStart } from './messages.js';

/** How long a pack may take to load, in milliseconds: a program, not a check. */
const startLimit = 30_000;

/** The rules of one's own, running apart from the check. */
export interface LoadedPack {
  /** What the pack is called in messages. */
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Has the rules judge a stack. A failure or a time-out is an answer, never an exception. */
  run(input: PackInput): Promise<Extract<PackAnswer, { findings: unknown }>>;
  close(): Promise<void>;
}

/**
 * Starts the packs of a policy, each in a worker of its own with a time limit and bounded memory.
 *
 * @throws CAS7003 when a pack can't be found, its hash differs, or it has no rule.
 */
export async function loadPacks(packs: readonly PackConfig[], folder: string): Promise<readonly LoadedPack[]> {
  const started: LoadedPack[] = [];
  try {
    for (const pack of packs) started.push(await start(pack, folder));
    return started;
  } catch (error) {
    await Promise.all(started.map((each) => each.close()));
    throw error;
  }
}

async function start(pack: PackConfig, folder: string): Promise<LoadedPack> {
  const name = pack.package ?? pack.file ?? '';
  const fail = (reason: string): CastellanError =>
    new CastellanError('CAS7003', `${name || 'a pack'}: ${reason}`, { details: { pack: name } });
  const file = fileOf(pack, folder, fail);
  const limit = (pack.timeLimitSeconds ?? 5) * 1000;
  const worker = startWorker({ pack, file });
  const first = await ask(worker, undefined, startLimit);
  if (!('rules' in first)) {
    await worker.terminate();
    throw fail('failure' in first ? first.failure : 'it did not answer');
  }
  return {
    name,
    rules: first.rules,
    async run(input) {
      const answer = await ask(worker, input, limit);
      if ('findings' in answer) return answer;
      return { findings: [], failures: ['failure' in answer ? answer.failure : 'it did not answer'] };
    },
    close: async () => void (await worker.terminate()),
  };
}

function fileOf(pack: PackConfig, folder: string, fail: (reason: string) => CastellanError): string {
  if ((pack.file === undefined) === (pack.package === undefined)) throw fail('say either file or package');
  if (pack.file !== undefined) {
    const file = resolve(folder, pack.file);
    if (!existsSync(file)) throw fail(`${pack.file} does not exist`);
    if (pack.integrity !== undefined) checkIntegrity(file, pack.integrity, fail);
    return file;
  }
  const file = resolvePackage(pack.package ?? '', folder, fail);
  if (pack.integrity === undefined) throw fail(`a pack needs its hash: integrity: ${hashOf(file, 'sha256')}`);
  checkIntegrity(file, pack.integrity, fail);
  return file;
}

function resolvePackage(name: string, folder: string, fail: (reason: string) => CastellanError): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch (error) {
    throw fail(`it is not installed: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
}

function checkIntegrity(file: string, expected: string, fail: (reason: string) => CastellanError): void {
  const actual = hashOf(file, expected.startsWith('sha512-') ? 'sha512' : 'sha256');
  if (actual !== expected) throw fail(`its hash is ${actual}, not ${expected}: look at what changed before you accept it`);
}

function hashOf(file: string, algorithm: 'sha256' | 'sha512'): string {
  return `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest('base64')}`;
}

function startWorker(workerData: PackStart): Worker {
  const entry = join(__dirname, `worker${extname(__filename)}`);
  const options = { workerData, stdout: true, resourceLimits: { maxOldGenerationSizeMb: 512 } };
  // From the sources (tests, ts-node) the worker has to be compiled first.
  const worker = extname(entry) === '.ts' ? new Worker(compiled(entry), { ...options, eval: true }) : new Worker(entry, options);
  worker.stdout.pipe(process.stderr, { end: false });
  worker.unref();
  return worker;
}

function compiled(entry: string): string {
  const esbuild = createRequire(entry).resolve('esbuild/bin/esbuild');
  return execFileSync(esbuild, [entry, '--bundle', '--platform=node', '--packages=external', '--log-level=error'], { encoding: 'utf8' });
}

/** Sends a question and waits for the answer; a worker that doesn't answer in time, or dies, is one that failed. */
function ask(worker: Worker, input: PackInput | undefined, limit: number): Promise<PackAnswer> {
  return new Promise((done) => {
    const finish = (answer: PackAnswer): void => {
      clearTimeout(timer);
      worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
      done(answer);
    };
    const timer = setTimeout(() => {
      void worker.terminate();
      finish({ failure: `the rules did not finish within ${String(limit / 1000)} s` });
    }, limit);
    worker.once('message', finish);
    worker.once('error', (error) => finish({ failure: `the rules failed: ${error.message}` }));
    worker.once('exit', (code) => finish({ failure: `the rules ended the program with ${String(code)}` }));
    if (input !== undefined) worker.postMessage(input);
  });
}
