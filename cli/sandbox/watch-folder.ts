import { existsSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Many files change at once when something is built or saved: they are one change. */
const quietMilliseconds = 150;
const ignored = /(^|[\\/])(node_modules|\.git|\.castellan|cdktf\.out)([\\/]|$)/;

/**
 * Watches a folder and what is in it.
 *
 * @param onChange gets the last of the files that changed at once, seen from the folder.
 * @returns what ends it.
 */
export function watchFolder(folder: string, onChange: (file: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const times = new Map<string, number>();
  const watcher = watch(folder, { recursive: true }, (_event, file) => {
    if (file === null || ignored.test(file) || !hasChanged(join(folder, file), times)) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(file), quietMilliseconds);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Some systems report files that were only read. */
function hasChanged(file: string, times: Map<string, number>): boolean {
  const time = existsSync(file) ? statSync(file).mtimeMs : 0;
  const before = times.get(file);
  times.set(file, time);
  return before !== time;
}
