import { isAlive } from '../core/process/is-alive.js';
import { isLocked } from './background/lock.js';
import type { SandboxPaths } from './paths.js';
import { readJson } from './private-file.js';
import { existsSync } from 'node:fs';

/** Written by the background process once it accepts connections. */
export interface SandboxState {
  readonly pid: number;
  /** The sandbox's address: `https://localhost:<port>`. */
  readonly origin: string;
  readonly startedAt: string;
  /** The providers' sockets, by address, in the form of `TF_REATTACH_PROVIDERS`. */
  readonly reattach: string;
}

/** The state of a sandbox that runs; undefined when none does, whatever a crash left behind. */
export function runningState(paths: SandboxPaths): SandboxState | undefined {
  // the file first: without one that names a living process nothing runs, and no SQLite is needed to ask the lock
  const state = readJson<SandboxState>(paths.state);
  // one that is just starting holds the lock already, while the file still describes one that was killed
  if (state === undefined || !isAlive(state.pid)) return undefined;
  return existsSync(paths.lock) && isLocked(paths.lock) ? state : undefined;
}
