import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../../core/source/make-folder.js';
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
 * Runs work on the stacks of a target and environment while no other castellan process of this
 * project does: two would overwrite each other's synthesized stacks and plans, so that the approval
 * of one plan would apply the other. Waits for the other process, and reports on stderr that it
 * waits. Other machines are kept out by the lock of the Terraform state only.
 */
export async function withApplyLock<T>(
  { target, environment }: ApplyOptions,
  io: CliIo,
  work: () => Promise<T>,
): Promise<T> {
  const paths = sandboxPaths(io.cwd, environment);
  prepareSandboxFolder(paths);
  if (target === 'sandbox') return withSandboxApplyLock(paths, io, work);
  const folder = join(paths.root, target);
  makeFolder(folder);
  return withLockIn(folder, `${sandboxName(paths)} with --target ${target}`, io, work);
}

/** Runs work while no other castellan process works on the stacks of an existing sandbox. */
export function withSandboxApplyLock<T>(
  paths: SandboxPaths,
  io: CliIo,
  work: () => Promise<T>,
): Promise<T> {
  return withLockIn(paths.root, sandboxName(paths), io, work);
}

/** @param name what is locked, for the message that says who waits for what. */
async function withLockIn<T>(
  folder: string,
  name: string,
  io: CliIo,
  work: () => Promise<T>,
): Promise<T> {
  const file = join(folder, 'apply.lock');
  let lock = takeLock(file);
  if (lock === undefined)
    printText(io.stderr, `another castellan works on ${name}: waiting for it\n`);
  for (; lock === undefined; lock = takeLock(file)) await wait(pollIntervalMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
