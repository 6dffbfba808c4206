import { join, resolve } from 'node:path';
import { diskFiles } from '../core/source/file-access.js';
import type { CliIo } from './command.js';
import { check } from './commands/check.js';
import { reportError } from './report-error.js';

/**
 * `castellan check [paths]` without options. The build bundles this module with compiled schemas
 * into dist/cli/check-paths-main.js, without the option parser and the code that only options need
 * (plans, states, other formats). Beside node's own start, a check then takes a third less
 * processor time than the whole command without compiled code, and an eighth less with it.
 */
export async function main([, ...paths]: readonly string[], io: CliIo): Promise<number> {
  const setOptimizer = endsBeforeOptimizing(paths, io.cwd)
    ? (await import('node:v8')).setFlagsFromString
    : undefined;
  setOptimizer?.('--no-opt');
  try {
    return await check(paths, {}, io);
  } catch (error) {
    return reportError(error, paths, io);
  } finally {
    setOptimizer?.('--opt'); // V8's default, with which compiled code is kept
  }
}

/**
 * Whether V8 would optimize the check's code without saving time: for 200 files of 1 KB optimizing
 * takes a third of the processor time, for 200 KB in one file two fifths, for 1 MB a tenth. From 2
 * MB on it pays. Disabling it takes 3 ms.
 */
function endsBeforeOptimizing(paths: readonly string[], cwd: string): boolean {
  const all = paths.length === 0 ? ['.'] : paths;
  const step = Math.ceil(all.length / 20); // samples twenty of many files
  let size = 0;
  for (let index = 0; index < all.length; index += step) {
    const place = resolve(cwd, all[index] as string);
    const entry = diskFiles.look(place);
    size +=
      step *
      (entry.kind === 'folder' ? diskFiles.look(join(place, 'castellan.yaml')).size : entry.size);
  }
  return size > 20_000 && size < 1_300_000;
}
