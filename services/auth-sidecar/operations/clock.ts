import { readFileSync } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { type Seconds, secondsNow } from '../token-store/entry-store.js';

/** The time by which sessions and tokens are judged. */
export interface SidecarClock {
  readonly seconds: Seconds;
  readonly date: () => Date;
}

/**
 * The machine's clock, or the one of a rehearsal: ahead by the `aheadSeconds` of a JSON file, which
 * is read whenever the time is, so that a change takes effect with the next request.
 *
 * @param file a missing one means the machine's time.
 * @param moved is told when the time is another than the machine's, and whenever that changes.
 * @throws CAS6004 for a file that is not such an object
 */
export function openClock(
  file: string | undefined,
  moved: (message: string) => void,
): SidecarClock {
  if (file === undefined) return { seconds: secondsNow, date: () => new Date() };
  let latest = 0;
  const take = (next: number): void => {
    if (next === latest) return;
    latest = next;
    moved(`the time is ${next} seconds ahead of this machine's, for a rehearsal: see ${file}`);
  };
  take(aheadSeconds(file));
  const ahead = (): number => {
    try {
      take(aheadSeconds(file));
    } catch {
      // being written: the last value holds until it can be read
    }
    return latest;
  };
  return {
    seconds: () => secondsNow() + ahead(),
    date: () => new Date(Date.now() + ahead() * 1000),
  };
}

function aheadSeconds(file: string): number {
  try {
    const { aheadSeconds } = JSON.parse(readFileSync(file, 'utf8')) as { aheadSeconds: unknown };
    if (Number.isSafeInteger(aheadSeconds)) return aheadSeconds as number;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
  }
  throw new CastellanError('CAS6004', `--clock: ${file} is not {"aheadSeconds": <whole number>}`);
}
