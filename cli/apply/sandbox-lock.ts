import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { takeLock } from '../../sandbox/background/lock.js';
import {
  prepareSandboxFolder,
  sandboxName,
  type SandboxPaths,
  sandboxPaths,
} from '../../sandbox/paths.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import { printText } from '../format.js';

/** How often a lock that another process holds is tried again. */
const pollIntervalMs = 100;

/**
 * Runs work on the stacks of a sandbox while no other castellan process does: two would overwrite
 * each other's synthesized stacks and plans, and the later plan would be stale. Waits for the other
 * process, and reports on stderr that it waits. For the cloud it locks nothing: there the lock of the
 * Terraform state does this, also for people on several machines.
 */
export async function withSandboxLock<T>(
  { target, environment }: ApplyOptions,
  io: CliIo,
  work: () => Promise<T>,
): Promise<T> {
  if (target !== 'sandbox') return work();
  const paths = sandboxPaths(io.cwd, environment);
  prepareSandboxFolder(paths);
  return withLockOf(paths, io, work);
}

/** Runs work while no other castellan process works on the stacks of an existing sandbox. */
export async function withLockOf<T>(
  paths: SandboxPaths,
  io: CliIo,
  work: () => Promise<T>,
): Promise<T> {
  const file = join(paths.root, 'apply.lock');
  let lock = takeLock(file);
  if (lock === undefined)
    printText(io.stderr, `another castellan works on ${sandboxName(paths)}: waiting for it\n`);
  for (; lock === undefined; lock = takeLock(file)) await wait(pollIntervalMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
