import type { TokenRefusal } from './token-verifier.js';

/** What an error answer says about its request. */
export interface ErrorContext {
  readonly requestId: string;
  readonly clientRequestId: string;
  readonly now: Date;
}

/** A refused request. Each service extends this with the error shape of its interface. */
export abstract class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The JSON of the answer. */
  abstract toBody(context: ErrorContext): object;
}

/** JSON Schema of an error answer `{"error": {"code", "message", …}}`. @param more what an error may hold besides. */
export function errorEnvelope(more: Readonly<Record<string, object>> = {}, required: readonly string[] = []): object {
  const properties = { code: { type: 'string' }, message: { type: 'string' }, ...more };
  const error = { type: 'object', required: ['code', 'message', ...required], properties };
  return { type: 'object', required: ['error'], properties: { error } };
}

/** What the chassis itself refuses, in words that a service may replace. */
export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | { readonly kind: 'unauthenticated'; readonly why: TokenRefusal; readonly origin: string }
  | { readonly kind: 'unknownPath'; readonly path: string }
  /**
   * Too many requests; a request, or the JSON in its body, that could not be read; a failure, of whose inside nothing is said but for what
   * the operator can mend, such as a full disk.
   */
  | { readonly kind: 'throttled' | 'unreadable' | 'failed' }
);

/** Gives what the chassis refuses a service's own code and error shape. */
export type Refuse = (refusal: Refusal) => ServiceError;
