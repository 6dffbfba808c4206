import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { takeLock } from '../../sandbox/background/lock.js';
import { prepareFolder, sandboxName, sandboxPaths } from '../../sandbox/paths.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import { printText } from '../format.js';

/** How often a lock that another process holds is tried again. */
const pollMilliseconds = 100;

/**
 * Runs work on the stacks of a sandbox exclusively: two castellan processes at once would overwrite
 * each other's synthesized stacks and plans, and the later plan would be stale. Waits for the other
 * process and reports that. In the cloud, where people work on several machines, the lock of the
 * state does this.
 */
export async function withSandboxLock<T>(
  { target, environment }: ApplyOptions,
  io: CliIo,
  work: () => Promise<T>,
): Promise<T> {
  if (target !== 'sandbox') return work();
  const paths = sandboxPaths(io.cwd, environment);
  prepareFolder(paths);
  const file = join(paths.root, 'apply.lock');
  let lock = takeLock(file);
  if (lock === undefined)
    printText(io.stderr, `another castellan works on ${sandboxName(paths)}: waiting for it\n`);
  for (; lock === undefined; lock = takeLock(file)) await wait(pollMilliseconds);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
