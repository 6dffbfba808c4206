import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { takeLock } from '../../sandbox/background/lock.js';
import { prepareFolder, sandboxName, sandboxPaths } from '../../sandbox/paths.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import { say } from '../format.js';

/**
 * Does work on the stacks of a sandbox when no other castellan does: two at once would write each other's synthesized stacks and plans,
 * and the plan of the later one would be stale. The other one is waited for, and that is said. In the cloud, where others work from other
 * machines, the state's own lock is what there is.
 */
export async function takeTurns<T>({ target, environment }: ApplyOptions, io: CliIo, work: () => Promise<T>): Promise<T> {
  if (target !== 'sandbox') return work();
  const paths = sandboxPaths(io.cwd, environment);
  prepareFolder(paths);
  const file = join(paths.root, 'apply.lock');
  let lock = takeLock(file);
  if (lock === undefined) say(io.stderr, `another castellan works on ${sandboxName(paths)}: waiting for it\n`);
  for (; lock === undefined; lock = takeLock(file)) await wait(100);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
