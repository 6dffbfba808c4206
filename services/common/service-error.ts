import type { TokenRefusal } from './token-verifier.js';

/** The request's data in an error answer. */
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

/**
 * JSON Schema of an error answer `{"error": {"code", "message", …}}`.
 *
 * @param extraProperties additional properties.
 */
export function errorEnvelope(
  extraProperties: Readonly<Record<string, object>> = {},
  required: readonly string[] = [],
): object {
  const properties = { code: { type: 'string' }, message: { type: 'string' }, ...extraProperties };
  const error = { type: 'object', required: ['code', 'message', ...required], properties };
  return { type: 'object', required: ['error'], properties: { error } };
}

/** The refusals of the chassis itself, whose words a service may replace. */
export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | {
      readonly kind: 'unauthenticated';
      /** What is wrong with the token. */
      readonly tokenRefusal: TokenRefusal;
      /** The service's address that was called. */
      readonly origin: string;
    }
  /** No operation has this method and path. */
  | { readonly kind: 'unknownPath'; readonly path: string }
  /**
   * `throttled`: too many requests; `unreadable`: a request or JSON body that cannot be parsed;
   * `failed`: a failure, without details except those that the operator can fix, such as a full
   * disk; `unavailable`: a service that is out of order for a while; `notFound`: an object that is
   * not (yet) there; `notServed`: a part of the cloud's interface that is not served.
   */
  | {
      readonly kind:
        'throttled' | 'unreadable' | 'failed' | 'unavailable' | 'notFound' | 'notServed';
    }
);

/** A refusal from outside a service, which answers it with its own code and error shape. */
export class RefusedRequest extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** Gives the refusals of the chassis a service's own code and error shape. */
export type ToServiceError = (refusal: Refusal) => ServiceError;
