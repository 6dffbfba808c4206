import { join, resolve } from 'node:path';
import { diskFiles } from '../core/source/file-access.js';
import type { CliIo } from './command.js';
import { check } from './commands/check.js';
import { reportError } from './report-error.js';

/**
 * `castellan check [paths]` without options. The build puts this module with compiled schemas into one file,
 * dist/cli/check-paths-main.js, without the option parser and what only options ask for (plans, states, other formats). Beside starting
 * node, a check then takes a third less processor time than the whole command where nothing is compiled yet, and an eighth less where it is.
 */
export async function main([, ...paths]: readonly string[], io: CliIo): Promise<number> {
  const setOptimizer = hasSmallFiles(paths, io.cwd) ? (await import('node:v8')).setFlagsFromString : undefined;
  setOptimizer?.('--no-opt');
  try {
    return await check(paths, {}, io);
  } catch (error) {
    return reportError(error, paths, io);
  } finally {
    setOptimizer?.('--opt'); // V8's default, by which compiled code is kept
  }
}

/**
 * Whether there are so many small files that V8's optimizing compiler costs more than it saves in them: without it, 200 files of 1 KB take
 * a third less processor time. To ask for it takes 3 ms.
 */
function hasSmallFiles(paths: readonly string[], cwd: string): boolean {
  if (paths.length < 20) return false;
  let size = 0;
  for (const path of paths) {
    const found = diskFiles.look(resolve(cwd, path));
    size += found.kind === 'folder' ? diskFiles.look(join(resolve(cwd, path), 'castellan.yaml')).size : found.size;
  }
  return size < 1_000_000;
}
