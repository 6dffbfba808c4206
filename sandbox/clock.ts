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
  /** The change before: changes are made one after the other. */
  #moving: Promise<unknown> = Promise.resolve();

  /** @param file where the offset is kept. */
  constructor(
    private readonly file: string,
    private readonly machine: Clock = systemClock,
  ) {
    this.#aheadMs = this.#storedAheadMs();
  }

  /** Takes the offset that the file has now. */
  reload(): void {
    this.#aheadMs = this.#storedAheadMs();
  }

  #storedAheadMs(): number {
    return (readJson<{ aheadSeconds: number }>(this.file)?.aheadSeconds ?? 0) * 1000;
  }

  now(): Date {
    return new Date(this.machine.now().getTime() + this.#aheadMs);
  }

  /** How far it is ahead of the machine's clock, in whole seconds. */
  get aheadSeconds(): number {
    return Math.round(this.#aheadMs / 1000);
  }

  reading(): ClockStatus {
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
    const moved = this.#moving.then(() => this.#move(change, runDueWork));
    this.#moving = moved.catch(() => undefined); // its own caller learns of it
    return moved;
  }

  async #move(change: string, runDueWork: () => Promise<void>): Promise<ClockStatus> {
    if (change === 'resume') {
      this.#set(0);
      return this.reading();
    }
    const now = this.now();
    const ms = instantAfter(now, change).getTime() - now.getTime();
    const aheadMs = this.#aheadMs + ms;
    const stepMs = Math.max(dayMs, ms / maxSteps);
    while (aheadMs - this.#aheadMs >= 1000) {
      this.#set(this.#aheadMs + Math.min(aheadMs - this.#aheadMs, stepMs));
      await runDueWork();
    }
    return this.reading();
  }

  #set(aheadMs: number): void {
    this.#aheadMs = Math.round(aheadMs / 1000) * 1000;
    writePrivate(this.file, `${JSON.stringify({ aheadSeconds: this.#aheadMs / 1000 })}\n`);
  }
}

const dayMs = 86_400_000;
/** More days than this are made in longer steps. */
const maxSteps = 400;

const unitMs = { d: dayMs, h: 3_600_000, m: 60_000, s: 1000 } as const;

/**
 * The instant that a change names, seen from the present one.
 *
 * @throws CAS4020 for text that is neither a time span nor a date, and for an earlier instant.
 */
export function instantAfter(now: Date, change: string): Date {
  const span = /^\+(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(change);
  const parts = (span ?? []).slice(1) as (string | undefined)[];
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(change);
  const target = parts.some((part) => part !== undefined)
    ? now.getTime() +
      Object.values(unitMs).reduce((sum, ms, at) => sum + Number(parts[at] ?? 0) * ms, 0)
    : isDate
      ? Date.parse(change)
      : Number.NaN;
  if (Number.isNaN(target) || target > Date.UTC(9999, 0))
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
