import { omitUndefined } from '../../core/values/omit-undefined.js';
import { managementTokenCodes } from '../common/management-access.js';
import { errorEnvelope, type Refusal, ServiceError } from '../common/service-error.js';

/** Additional members of an error answer. */
export interface BillingErrorOptions {
  /** The invalid query option or path parameter. */
  readonly target?: string;
  /** Details for programs. */
  readonly additionalInfo?: readonly { readonly type: string; readonly info: object }[];
  /** HTTP headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error answer in the shape of the billing interface's ErrorResponse. */
export class BillingError extends ServiceError {
  constructor(
    status: number,
    code: string,
    message: string,
    private readonly options: BillingErrorOptions = {},
  ) {
    super(status, code, message, options.headers);
  }

  toBody(): object {
    const { target, additionalInfo = [] } = this.options;
    return {
      error: {
        code: this.code,
        message: this.message,
        ...omitUndefined({ target }),
        details: [],
        additionalInfo,
      },
    };
  }
}

/**
 * An invalid query option: the position is in the message and, for programs, in `additionalInfo`.
 */
export class QuerySyntaxError extends BillingError {
  /** @param position from 0, in characters of the option's text. */
  constructor(
    option: 'filter' | 'orderBy',
    readonly position: number,
    problem: string,
  ) {
    super(
      400,
      option === 'filter' ? 'InvalidFilter' : 'InvalidOrderBy',
      `${option}: ${problem} (at position ${position})`,
      {
        target: option,
        additionalInfo: [{ type: 'Position', info: { option, position } }],
      },
    );
  }
}

/** 400 for a query option or a path parameter. */
export function invalidParameter(
  target: string,
  message: string,
  code = 'InvalidParameter',
): BillingError {
  return new BillingError(400, code, message, { target });
}

/**
 * The codes of refusals that all services share, by kind; those of failed authentication are
 * `managementTokenCodes`.
 */
const codes = {
  throttled: 'TooManyRequests',
  unknownPath: 'NotFound',
  unreadable: 'BadRequest',
  failed: 'InternalServerError',
  unavailable: 'ServiceUnavailable',
  notFound: 'NotFound',
  notServed: 'NotImplemented',
} as const;

/** Converts a refusal that all services share to the billing shape. */
export function toBillingError({
  status,
  message,
  headers = {},
  ...refusal
}: Refusal): BillingError {
  return new BillingError(
    status,
    refusal.kind === 'unauthenticated'
      ? managementTokenCodes[refusal.tokenRefusal]
      : codes[refusal.kind],
    message,
    { headers },
  );
}

/** JSON Schema of an error answer. */
export const errorSchema = errorEnvelope(
  { target: { type: 'string' }, details: { type: 'array' }, additionalInfo: { type: 'array' } },
  ['details', 'additionalInfo'],
);
