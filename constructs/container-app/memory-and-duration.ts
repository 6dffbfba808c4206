import { CastellanError } from '../../core/errors/castellan-error.js';
import { Token } from '../internal/cdktf.js';

/** An amount of memory, as castellan.yaml has it: `1Gi`. */
export type MemorySize = `${number}Gi`;

/** A span of time, as castellan.yaml has it: `08:00:00`, or with days before it `1.00:00:00`. */
export type TimeSpan = `${number}:${number}:${number}`;

/**
 * Creates amounts of memory for props, which also take a text such as `1Gi`.
 *
 * @example
 * new ContainerApp(this, 'worker', { image: 'ghcr.io/contoso/worker:2.0.1', cpu: 0.5, memory: Memory.gibibytes(1) });
 */
export class Memory {
  private constructor() {}

  /** An amount in gibibytes, which may be known only after apply. */
  static gibibytes(amount: number): MemorySize {
    const text = Token.isUnresolved(amount) ? Token.asString(amount) : amount;
    return `${text as number}Gi`;
  }

  /**
   * A text that is known only after apply, such as a variable of the stack.
   *
   * @throws CAS2001 when the text is not a token.
   */
  static fromToken(text: string): MemorySize {
    return requireToken(text, 'Memory.gibibytes(1)') as MemorySize;
  }
}

const secondsPer = { minute: 60, hour: 3600, day: 86_400 } as const;

/**
 * Creates spans of time for props, which also take a text such as `08:00:00`.
 *
 * @example
 * const cookieExpiration: AuthSettings['cookieExpiration'] = { timeToExpiration: Duration.hours(8) };
 */
export class Duration {
  private constructor() {}

  /**
   * A duration in seconds.
   *
   * @throws CAS2001 when the number is not a positive integer, or known only after apply.
   */
  static seconds(amount: number): TimeSpan {
    return timeSpan(amount, 1);
  }

  /** A duration in minutes. */
  static minutes(amount: number): TimeSpan {
    return timeSpan(amount, secondsPer.minute);
  }

  /** A duration in hours. */
  static hours(amount: number): TimeSpan {
    return timeSpan(amount, secondsPer.hour);
  }

  /** A duration in days. */
  static days(amount: number): TimeSpan {
    return timeSpan(amount, secondsPer.day);
  }

  /**
   * A text that is known only after apply, such as a variable of the stack.
   *
   * @throws CAS2001 when the text is not a token.
   */
  static fromToken(text: string): TimeSpan {
    return requireToken(text, 'Duration.minutes(10)') as TimeSpan;
  }
}

function timeSpan(amount: number, secondsPerUnit: number): TimeSpan {
  if (Token.isUnresolved(amount))
    throw new CastellanError(
      'CAS2001',
      'a number that is known only after apply cannot be a duration: pass the text with Duration.fromToken',
    );
  const seconds = amount * secondsPerUnit;
  if (!Number.isInteger(seconds) || seconds <= 0)
    throw new CastellanError(
      'CAS2001',
      `${seconds} seconds is not a valid duration: use a positive whole number of seconds`,
    );
  const days = Math.floor(seconds / secondsPer.day);
  const clock = [
    Math.floor((seconds % secondsPer.day) / secondsPer.hour),
    Math.floor((seconds % secondsPer.hour) / secondsPer.minute),
    seconds % secondsPer.minute,
  ].map((part) => String(part).padStart(2, '0'));
  return `${days === 0 ? '' : `${days}.`}${clock.join(':')}` as TimeSpan;
}

function requireToken(text: string, alternative: string): string {
  if (Token.isUnresolved(text)) return text;
  throw new CastellanError(
    'CAS2001',
    `${JSON.stringify(text)} is not a token: pass the text itself, or ${alternative}`,
  );
}
