import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SandboxPaths } from '../paths.js';
import { runningState } from '../state.js';

const politeMilliseconds = 15_000;

/**
 * Ends the background process: what is under way is answered, then its apps and itself end.
 *
 * @returns false when none was running.
 */
export async function stopBackground(paths: SandboxPaths): Promise<boolean> {
  const state = runningState(paths);
  if (state === undefined) return false;
  send(state.pid, 'SIGTERM');
  const deadline = Date.now() + politeMilliseconds;
  while (runningState(paths) !== undefined) {
    if (Date.now() > deadline) send(state.pid, 'SIGKILL');
    if (Date.now() > deadline + 5_000) throw new CastellanError('CAS4011', `process ${state.pid} does not end`);
    await wait(50);
  }
  rmSync(paths.state, { force: true });
  return true;
}

/** The lock says that the process lives, so the id can't be another's. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
