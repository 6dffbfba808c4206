import type { QuerySyntaxError } from '../query/syntax-error.js';

/** What an error answer carries besides code and message. */
export interface BillingErrorOptions {
  readonly target?: string;
  readonly additionalInfo?: readonly { readonly type: string; readonly info: object }[];
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/** A refused request, in the shape of spec 002, "Billing ErrorResponse". */
export class BillingError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly options: BillingErrorOptions = {},
  ) {
    super(message);
  }

  /** The answer's body. */
  body(): object {
    const { target, additionalInfo = [] } = this.options;
    return { error: { code: this.code, message: this.message, ...(target === undefined ? {} : { target }), details: [], additionalInfo } };
  }
}

/** The answer to a query option that is not understood: the place is in the message and, for programs, in `additionalInfo`. */
export function syntaxProblem({ option, position, message }: QuerySyntaxError): BillingError {
  const code = option === 'filter' ? 'InvalidFilter' : 'InvalidOrderBy';
  return new BillingError(400, code, message, { target: option, additionalInfo: [{ type: 'Position', info: { option, position } }] });
}
