import { readFileSync } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { type SecondsClock, secondsNow } from '../seconds-clock.js';

/** The time that sessions and tokens are compared with. */
export interface SidecarClock {
  /** Whole seconds since 1970. */
  readonly seconds: SecondsClock;
  readonly date: () => Date;
}

/**
 * The machine's clock, or one for rehearsals that is ahead by the `aheadSeconds` of a JSON file. The
 * file is read whenever the time is, so that a change takes effect with the next request.
 *
 * @param file a missing one means the machine's time.
 * @param onChange is told when the time is another than the machine's, and whenever that changes.
 * @throws CAS6004 for a file that is not such an object
 */
export function openClock(
  file: string | undefined,
  onChange: (message: string) => void,
): SidecarClock {
  if (file === undefined) return { seconds: secondsNow, date: () => new Date() };
  let offsetSeconds = 0;
  const setOffset = (next: number): void => {
    if (next === offsetSeconds) return;
    offsetSeconds = next;
    onChange(`the time is ${next} seconds ahead of this machine's, for a rehearsal: see ${file}`);
  };
  setOffset(readOffset(file));
  const currentOffset = (): number => {
    try {
      setOffset(readOffset(file));
    } catch {
      // being written: the last value holds until it can be read
    }
    return offsetSeconds;
  };
  return {
    seconds: () => secondsNow() + currentOffset(),
    date: () => new Date(Date.now() + currentOffset() * 1000),
  };
}

function readOffset(file: string): number {
  try {
    const { aheadSeconds } = JSON.parse(readFileSync(file, 'utf8')) as { aheadSeconds: unknown };
    if (Number.isSafeInteger(aheadSeconds)) return aheadSeconds as number;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
  }
  throw new CastellanError('CAS6004', `--clock: ${file} is not {"aheadSeconds": <whole number>}`);
}
