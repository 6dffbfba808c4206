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

/** A refused request, in the shape of spec 002, "Workspace item ErrorResponse". */
export class Problem extends Error {
  readonly status: number;

  constructor(
    readonly errorCode: string,
    message: string,
    readonly options: ProblemOptions = {},
  ) {
    super(message);
    this.status = options.status ?? statusOf(errorCode);
  }

  /** The answer's body. */
  body(requestId: string): Readonly<Record<string, unknown>> {
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
    return JSON.stringify(this.body(requestId));
  }
}

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
