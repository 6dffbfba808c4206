import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { loadGeneratorCore } from './testbed.js';

/** The results of a closed-loop run. */
export interface Throughput {
  readonly requests: number;
  readonly perSecond: number;
}

/**
 * Runs wrk for some seconds over 64 connections.
 *
 * @throws when a request failed: a refused request would count as a fast one
 */
export async function runWrk(url: string, cookie: string, seconds: number): Promise<Throughput> {
  const headers = cookie === '' ? [] : ['-H', `Cookie: ${cookie}`];
  const { stdout } = await promisify(execFile)('taskset', [
    '-c',
    loadGeneratorCore,
    'wrk',
    '-t1',
    '-c64',
    `-d${seconds}s`,
    ...headers,
    url,
  ]);
  const readNumber = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  const requests = readNumber(/(\d+) requests in/);
  if (requests === 0 || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}: ${stdout}`);
  return { requests, perSecond: readNumber(/Requests\/sec:\s+([\d.]+)/) };
}
