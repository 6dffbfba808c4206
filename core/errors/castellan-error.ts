import { catalogue, type ErrorCode } from './catalogue.js';

/** What an error carries besides its code: facts for programs, never secrets. */
export interface CastellanErrorOptions {
  /** What was given, what is allowed, where: facts that a program may read. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The cause of this error. */
  readonly cause?: unknown;
}

/**
 * An error for users: a stable code of the catalogue, and a message that says what was given, what
 * is allowed and where.
 *
 * @example
 * throw new CastellanError('CAS1001', `${file} can't be read: permission denied`, {
 *   details: { file },
 *   cause,
 * });
 */
export class CastellanError extends Error {
  /** The code of the catalogue, such as `CAS1001`; it never changes its meaning. */
  readonly code: ErrorCode;
  /** What was given, what is allowed, where: facts that a program may read. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: CastellanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CastellanError';
    this.code = code;
    this.details = options.details ?? {};
  }

  /** The catalogue's title of this error. */
  get title(): string {
    return catalogue[this.code].title;
  }

  /** What the catalogue advises to do about it. */
  get help(): string {
    return catalogue[this.code].help;
  }
}

/**
 * Whether a value is a CastellanError, also one of another copy of this package.
 *
 * @example
 * if (isCastellanError(error) && error.code === 'CAS2010') console.error(error.help);
 */
export function isCastellanError(value: unknown): value is CastellanError {
  return (
    value instanceof Error &&
    value.name === 'CastellanError' &&
    typeof (value as { code?: unknown }).code === 'string'
  );
}
