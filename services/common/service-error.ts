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

/** What the chassis itself refuses. */
export type Refusal =
  | { readonly kind: 'unauthenticated'; readonly why: TokenRefusal; readonly reason: string; readonly origin: string }
  | { readonly kind: 'throttled'; readonly seconds: number }
  | { readonly kind: 'unknownPath'; readonly method: string; readonly path: string }
  /** The HTTP layer could not read the request. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly message: string }
  /** The service failed; nothing about the inside is said, but for what its operator can mend: ` as its disk is full`. */
  | { readonly kind: 'failed'; readonly because: string };

/** Puts what the chassis refuses into a service's own words. */
export type RefusalWords = (refusal: Refusal) => ServiceError;
