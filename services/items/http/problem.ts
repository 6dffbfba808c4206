import { type ErrorContext, type Refusal, ServiceError } from '../../common/service-error.js';
import type { TokenRefusal } from '../../common/token-verifier.js';

/** A further point of an error answer. */
export interface ProblemDetail {
  readonly errorCode: string;
  readonly message: string;
  readonly relatedResource?: RelatedResource;
}

/** The resource that an error is about. */
export interface RelatedResource {
  readonly resourceId: string;
  readonly resourceType: string;
}

/** What an error answer carries besides code and message. */
export interface ProblemOptions {
  /** @default by code */
  readonly status?: number;
  readonly isRetriable?: boolean;
  readonly relatedResource?: RelatedResource;
  readonly moreDetails?: readonly ProblemDetail[];
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/** A refused request, in the shape of the item interface's ErrorResponse. */
export class Problem extends ServiceError {
  constructor(
    readonly errorCode: string,
    message: string,
    readonly options: ProblemOptions = {},
  ) {
    const status = options.status ?? statusOf(errorCode);
    super(status, errorCode, message, {
      ...(options.retryAfter === undefined ? {} : { 'retry-after': String(options.retryAfter) }),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    });
  }

  toBody({ requestId }: Pick<ErrorContext, 'requestId'>): Readonly<Record<string, unknown>> {
    const { isRetriable = this.status === 429 || this.status >= 500, relatedResource, moreDetails } = this.options;
    return {
      errorCode: this.errorCode,
      message: this.message,
      isRetriable,
      requestId,
      ...(relatedResource === undefined ? {} : { relatedResource }),
      ...(moreDetails === undefined || moreDetails.length === 0 ? {} : { moreDetails }),
    };
  }

  /** The same as the `error` of a failed operation. */
  toJson(requestId: string): string {
    return JSON.stringify(this.toBody({ requestId }));
  }
}

const tokenCodes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'TokenIsMissing',
  malformed: 'InvalidToken',
  expired: 'TokenExpired',
  invalid: 'InvalidToken',
  audience: 'InvalidToken',
};

/** What the chassis refuses, in the shape of the item interface. */
export function refuse(refusal: Refusal): Problem {
  switch (refusal.kind) {
    case 'unauthenticated':
      return new Problem(tokenCodes[refusal.why], refusal.reason, { isRetriable: false });
    case 'throttled': {
      const message = `Too many requests: wait ${refusal.seconds} seconds before sending more.`;
      return new Problem('TooManyRequests', message, { isRetriable: true, retryAfter: refusal.seconds });
    }
    case 'unknownPath':
      return new Problem('EndpointNotFound', `The requested endpoint ${refusal.method} ${refusal.path} is not known.`);
    case 'unreadable':
      if (refusal.status === 413) return new Problem('InvalidPayloadSize', 'The request body is too large.');
      return new Problem('BadRequest', refusal.message, { status: refusal.status });
    case 'failed':
      return new Problem('InternalServerError', `The request failed unexpectedly${refusal.because}.`);
  }
}

/** JSON Schema of an error answer. */
export const errorSchema = {
  type: 'object',
  required: ['errorCode', 'message', 'isRetriable', 'requestId'],
  properties: {
    ...{ errorCode: { type: 'string' }, message: { type: 'string' }, isRetriable: { type: 'boolean' }, requestId: { type: 'string' } },
    relatedResource: { type: 'object', properties: { resourceId: { type: 'string' }, resourceType: { type: 'string' } } },
    moreDetails: { type: 'array', items: { type: 'object' } },
  },
};

const listed: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  InvalidToken: 401,
  TokenIsMissing: 401,
  TokenExpired: 401,
  Forbidden: 403,
  TenantSwitchDisabled: 403,
  UserNotLicensed: 403,
  FeatureNotAvailable: 403,
  WorkspaceItemsLimitExceeded: 409,
  PrincipalAlreadyHasWorkspaceRolePermissions: 409,
  PreconditionFailed: 412,
  InvalidPayloadSize: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  RequestBlocked: 429,
  InternalServerError: 500,
};

/** The status of a code: the public service doesn't publish one, so names decide. */
function statusOf(code: string): number {
  const status = listed[code];
  if (status !== undefined) return status;
  if (code.startsWith('Insufficient')) return 403;
  if (code.endsWith('NotFound')) return 404;
  if (/(AlreadyInUse|AlreadyExists|Conflict)$/.test(code)) return 409;
  return 400;
}
