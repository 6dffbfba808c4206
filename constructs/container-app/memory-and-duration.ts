import { CastellanError } from '../../core/errors/castellan-error.js';
import { Token } from '../internal/cdktf.js';

/** An amount of memory, as castellan.yaml has it: `1Gi`. */
export type MemorySize = `${number}Gi`;

/** A span of time, as castellan.yaml has it: `08:00:00`, or with days before it `1.00:00:00`. */
export type TimeSpan = `${number}:${number}:${number}`;

/**
 * Amounts of memory; a text such as `1Gi` is one, too.
 *
 * @example
 * new ContainerApp(this, 'worker', { image: 'ghcr.io/contoso/worker:2.0.1', cpu: 0.5, memory: Memory.gibibytes(1) });
 */
export class Memory {
  private constructor() {}

  /** So many gibibytes. */
  static gibibytes(amount: number): MemorySize {
    return `${amount}Gi`;
  }

  /** A text that is known only after apply, such as a variable of the stack. */
  static fromToken(text: string): MemorySize {
    return knownLater(text, 'Memory.gibibytes(1)') as MemorySize;
  }
}

const unit = { minute: 60, hour: 3600, day: 86_400 } as const;

/**
 * Spans of time; a text such as `08:00:00` is one, too.
 *
 * @example
 * const cookieExpiration: AuthSettings['cookieExpiration'] = { timeToExpiration: Duration.hours(8) };
 */
export class Duration {
  private constructor() {}

  /** So many seconds. @throws CAS2001 when they are no whole number above zero. */
  static seconds(amount: number): TimeSpan {
    if (!Number.isInteger(amount) || amount <= 0)
      throw new CastellanError(
        'CAS2001',
        `${amount} seconds are no span of time: give a whole number of seconds above zero`,
      );
    const days = Math.floor(amount / unit.day);
    const clock = [
      Math.floor((amount % unit.day) / unit.hour),
      Math.floor((amount % unit.hour) / unit.minute),
      amount % unit.minute,
    ].map((part) => String(part).padStart(2, '0'));
    return `${days === 0 ? '' : `${days}.`}${clock.join(':')}` as TimeSpan;
  }

  /** So many minutes. */
  static minutes(amount: number): TimeSpan {
    return Duration.seconds(amount * unit.minute);
  }

  /** So many hours. */
  static hours(amount: number): TimeSpan {
    return Duration.seconds(amount * unit.hour);
  }

  /** So many days. */
  static days(amount: number): TimeSpan {
    return Duration.seconds(amount * unit.day);
  }

  /** A text that is known only after apply, such as a variable of the stack. */
  static fromToken(text: string): TimeSpan {
    return knownLater(text, 'Duration.minutes(10)') as TimeSpan;
  }
}

function knownLater(text: string, instead: string): string {
  if (Token.isUnresolved(text)) return text;
  throw new CastellanError(
    'CAS2001',
    `${JSON.stringify(text)} is known already: write it as it is, or ${instead}`,
  );
}
