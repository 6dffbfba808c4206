import { CastellanError } from '../core/errors/castellan-error.js';
import { type Clock, systemClock } from '../services/common/clock.js';
import { readJson, writePrivate } from './private-file.js';

/** The time of a sandbox, as `castellan sandbox clock --format json` prints it. */
export interface ClockStatus {
  /** The sandbox's time, in ISO 8601. */
  readonly now: string;
  /** How far it is ahead of the machine's clock, in seconds; 0 without a change. */
  readonly aheadSeconds: number;
}

/**
 * The clock of a sandbox: the machine's, moved ahead by an offset that a file keeps, so that it
 * stays after a restart. Time goes on from where it was set.
 */
export class SandboxClock implements Clock {
  #aheadMs: number;
  /** The latest change, which the next one waits for. */
  #lastMove: Promise<unknown> = Promise.resolve();

  /** @param file where the offset is kept. */
  constructor(
    private readonly file: string,
    private readonly machineClock: Clock = systemClock,
  ) {
    this.#aheadMs = this.#storedAheadMs();
  }

  /** Reads the offset from the file again. */
  reload(): void {
    this.#aheadMs = this.#storedAheadMs();
  }

  #storedAheadMs(): number {
    return (readJson<{ aheadSeconds: number }>(this.file)?.aheadSeconds ?? 0) * 1000;
  }

  now(): Date {
    return new Date(this.machineClock.now().getTime() + this.#aheadMs);
  }

  /** How far it is ahead of the machine's clock, in whole seconds. */
  get aheadSeconds(): number {
    return Math.round(this.#aheadMs / 1000);
  }

  status(): ClockStatus {
    return { now: this.now().toISOString(), aheadSeconds: this.aheadSeconds };
  }

  /**
   * Moves the time ahead in steps of at most a day, so that work that falls due on different days
   * is done in its order and dated on its day: a group expires on the tenth, and 30 days later its
   * deleted object is gone for good.
   *
   * @param change `+30d`, `+1d12h`, a date (`2027-01-31`), an instant in ISO 8601, or `resume` for
   *   the machine's time.
   * @param runDueWork does what is due at the time of each step.
   * @throws CAS4020 for another change, and for an instant in the past of the sandbox.
   */
  move(change: string, runDueWork: () => Promise<void>): Promise<ClockStatus> {
    const moving = this.#lastMove.then(() => this.#move(change, runDueWork));
    this.#lastMove = moving.catch(() => undefined); // its own caller handles the error
    return moving;
  }

  async #move(change: string, runDueWork: () => Promise<void>): Promise<ClockStatus> {
    if (change === 'resume') {
      this.#storeAheadMs(0);
      return this.status();
    }
    const now = this.now();
    const changeMs = instantAfter(now, change).getTime() - now.getTime();
    const targetAheadMs = this.#aheadMs + changeMs;
    const stepMs = Math.max(dayMs, changeMs / maxSteps);
    while (targetAheadMs - this.#aheadMs >= 1000) {
      this.#storeAheadMs(this.#aheadMs + Math.min(targetAheadMs - this.#aheadMs, stepMs));
      await runDueWork();
    }
    return this.status();
  }

  #storeAheadMs(aheadMs: number): void {
    const aheadSeconds = Math.round(aheadMs / 1000);
    writePrivate(this.file, `${JSON.stringify({ aheadSeconds })}\n`);
    this.#aheadMs = aheadSeconds * 1000;
  }
}

const dayMs = 86_400_000;
/** A change of more days than this is made in steps of more than a day. */
const maxSteps = 400;

/** The units of a time span: days, hours, minutes, seconds. */
const unitsMs = [dayMs, 3_600_000, 60_000, 1000];

/** Later instants come close to years of five digits, which ISO 8601 does not have. */
const latestInstant = Date.UTC(9999, 0);

/**
 * The instant to which a change moves the clock.
 *
 * @throws CAS4020 for text that is neither a time span nor a date, and for an earlier instant.
 */
export function instantAfter(now: Date, change: string): Date {
  const spanMs = parseSpan(change);
  const target = spanMs === undefined ? parseDate(change) : now.getTime() + spanMs;
  if (target === undefined || target > latestInstant)
    throw new CastellanError(
      'CAS4020',
      `"${change}" is neither a time span such as +30d or +1d12h, nor a date such as 2027-01-31, nor resume`,
    );
  if (target < now.getTime())
    throw new CastellanError(
      'CAS4020',
      `${change} is before the sandbox's time, ${now.toISOString()}: its clock only moves ahead`,
    );
  return new Date(target);
}

/** The milliseconds of `+1d12h`; undefined for other text. */
function parseSpan(text: string): number | undefined {
  const [, ...counts] = /^\+(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  if (counts.every((count) => count === undefined)) return undefined;
  let ms = 0;
  for (const [index, unitMs] of unitsMs.entries()) ms += Number(counts[index] ?? 0) * unitMs;
  return ms;
}

/** The milliseconds since 1970 of a date or an instant in ISO 8601; undefined for other text. */
function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
