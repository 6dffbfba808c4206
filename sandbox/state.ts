import { isCastellanError } from '../core/errors/castellan-error.js';
import { isAlive } from '../core/process/is-alive.js';
import { isLocked } from './background/lock.js';
import type { SandboxPaths } from './paths.js';
import { readJson } from './private-file.js';

/** Written by the background process once it accepts connections. */
export interface SandboxState {
  readonly pid: number;
  /** Of castellan, whose files it loads while it runs. */
  readonly version: string;
  /** The sandbox's address: `https://localhost:<port>`. */
  readonly origin: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The providers' sockets, by address, in the form of `TF_REATTACH_PROVIDERS`. */
  readonly reattach: string;
}

/** The state of a running sandbox; undefined if there is none, even with files left by a crash. */
export function readRunningState(paths: SandboxPaths): SandboxState | undefined {
  // the file first: if it names no living process nothing is running, and SQLite is not needed to
  // check the lock
  const state = readJson<SandboxState>(paths.state);
  // a starting process already has the lock, while the file still describes a killed one
  if (state === undefined || !isAlive(state.pid)) return undefined;
  return isLockHeld(paths.lock) ? state : undefined;
}

/**
 * Whether a lock is held. Without SQLite, as in castellan-check, it is taken as held because the
 * process lives: every request to it uses TLS with the sandbox's own authority, which proves that it
 * is the sandbox.
 */
function isLockHeld(lock: string): boolean {
  try {
    return isLocked(lock);
  } catch (error) {
    if (isCastellanError(error) && error.code === 'CAS4005') return true; // SQLite is not available
    throw error;
  }
}
