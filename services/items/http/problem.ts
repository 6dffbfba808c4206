import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type ErrorContext, type Refusal, ServiceError } from '../../common/service-error.js';
import type { TokenRefusal } from '../../common/token-verifier.js';

/** An additional detail of an error answer. */
export interface ProblemDetail {
  readonly errorCode: string;
  readonly message: string;
  readonly relatedResource?: RelatedResource;
}

/** The resource in an error. */
export interface RelatedResource {
  readonly resourceId: string;
  /** `Workspace`, `Folder`, `Capacity`, `Item` or a type of items, and others. */
  readonly resourceType: string;
}

/** Additional members of an error answer. */
export interface ProblemOptions {
  /** @default by code */
  readonly status?: number;
  /** @default true for the statuses 429 and from 500 */
  readonly isRetriable?: boolean;
  readonly relatedResource?: RelatedResource;
  readonly moreDetails?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error answer in the shape of the item interface's ErrorResponse. */
export class Problem extends ServiceError {
  constructor(
    readonly errorCode: string,
    message: string,
    readonly options: ProblemOptions = {},
  ) {
    super(options.status ?? statusOf(errorCode), errorCode, message, options.headers);
  }

  toBody({ requestId }: Pick<ErrorContext, 'requestId'>): Readonly<Record<string, unknown>> {
    const {
      isRetriable = this.status === 429 || this.status >= 500,
      relatedResource,
      moreDetails,
    } = this.options;
    return {
      errorCode: this.errorCode,
      message: this.message,
      isRetriable,
      requestId,
      ...omitUndefined({
        relatedResource,
        moreDetails: moreDetails?.length === 0 ? undefined : moreDetails,
      }),
    };
  }

  /** The answer as JSON, which is also the `error` of a failed operation. */
  toJson(requestId: string): string {
    return JSON.stringify(this.toBody({ requestId }));
  }
}

/** Converts an error of the code that all services share to the item interface's shape. */
export function toProblem(refusal: Refusal): Problem {
  const { status, message, headers } = refusal;
  return new Problem(codeOf(refusal), message, { status, ...omitUndefined({ headers }) });
}

function codeOf(refusal: Refusal): string {
  if (refusal.kind === 'unauthenticated') return tokenCodes[refusal.tokenRefusal];
  return unreadableCodes[refusal.status] ?? codes[refusal.kind];
}

const codes = {
  throttled: 'TooManyRequests',
  unknownPath: 'EndpointNotFound',
  unreadable: 'InvalidInput',
  failed: 'InternalServerError',
  unavailable: 'ServiceUnavailable',
  notFound: 'EntityNotFound',
  notServed: 'NotImplemented',
} as const;
const unreadableCodes: Readonly<Record<number, string>> = {
  413: 'InvalidPayloadSize',
  415: 'UnsupportedMediaType',
};
const tokenCodes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'TokenIsMissing',
  malformed: 'InvalidToken',
  expired: 'TokenExpired',
  invalid: 'InvalidToken',
  audience: 'InvalidToken',
};

/** JSON Schema of an error answer. */
export const errorSchema = {
  type: 'object',
  required: ['errorCode', 'message', 'isRetriable', 'requestId'],
  properties: {
    errorCode: { type: 'string' },
    message: { type: 'string' },
    isRetriable: { type: 'boolean' },
    requestId: { type: 'string' },
    relatedResource: {
      type: 'object',
      properties: { resourceId: { type: 'string' }, resourceType: { type: 'string' } },
    },
    moreDetails: { type: 'array', items: { type: 'object' } },
  },
};

/**
 * The status of a code: the public service does not publish one, so it is derived from the name.
 */
function statusOf(code: string): number {
  if (code.startsWith('Insufficient')) return 403;
  if (code.endsWith('NotFound')) return 404;
  if (
    /(AlreadyInUse|AlreadyExists|Conflict|LimitExceeded|AlreadyHasWorkspaceRolePermissions)$/.test(
      code,
    )
  )
    return 409;
  return 400;
}
