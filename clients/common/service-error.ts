import { isObject } from '../../core/values/is-object.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { retryAfterMs } from './retry.js';

/**
 * One detail of an error answer: `details` of the billing and resource manager shapes,
 * `moreDetails` of the items shape.
 */
export interface ServiceErrorDetail {
  /** The service's code of this detail. */
  readonly code?: string;
  /** What is wrong, in the service's words. */
  readonly message: string;
  /** The property or resource concerned, where the service names one. */
  readonly target?: string;
}

/** A service's error answer, read from any of its error shapes. */
export interface ServiceErrorProperties {
  /** The method of the request. */
  readonly method: string;
  /** The address of the request; its query is left out of messages. */
  readonly url: string;
  /** The HTTP status. */
  readonly status: number;
  /**
   * The service's own code, such as `ItemNotFound` or `Request_ResourceNotFound`; empty when it
   * gave none.
   */
  readonly serviceCode: string;
  /** The service's message. */
  readonly serviceMessage: string;
  /** The request id, for the operator of the service. */
  readonly requestId?: string;
  /** Whether a retry may succeed: as the service says (`isRetriable`), else by status. */
  readonly isRetriable: boolean;
  /** The wait that the service asks for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The property or resource concerned, where the service names one. */
  readonly target?: string;
  /** More details, in the order of the answer. */
  readonly serviceDetails: readonly ServiceErrorDetail[];
  /** The body of the answer: the parsed JSON, otherwise its text. */
  readonly body?: unknown;
}

/**
 * An error answer of a service (CAS5001) with its status, code, request id, details, and whether a
 * retry makes sense.
 *
 * @example
 * if (error instanceof ServiceError && error.serviceCode === 'ItemDisplayNameAlreadyInUse')
 *   console.error('The name is taken.');
 */
export class ServiceError extends CastellanError {
  /** The HTTP status. */
  readonly status: number;
  /** The service's own code; empty when it gave none. */
  readonly serviceCode: string;
  /** The service's message. */
  readonly serviceMessage: string;
  /** The request id, for the operator of the service. */
  readonly requestId: string | undefined;
  /** Whether a retry may succeed. */
  readonly isRetriable: boolean;
  /** The wait that the service asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The property or resource concerned, where the service names one. */
  readonly target: string | undefined;
  /** More details, in the order of the answer. */
  readonly serviceDetails: readonly ServiceErrorDetail[];
  /** The body of the answer: the parsed JSON, otherwise its text. */
  readonly body: unknown;

  constructor(properties: ServiceErrorProperties, cause?: unknown) {
    const { method, url, status, serviceCode, serviceMessage, requestId, serviceDetails } =
      properties;
    const detailsText = serviceDetails
      .map(({ code, message }) => `; ${code === undefined ? '' : `${code}: `}${message}`)
      .join('');
    const title = `${status} ${serviceCode}`.trim();
    super(
      'CAS5001',
      `${method} ${withoutQuery(url)}: ${title}: ${serviceMessage}${detailsText}${requestId === undefined ? '' : ` (request ${requestId})`}`,
      {
        details: {
          method,
          url: withoutQuery(url),
          status,
          serviceCode,
          requestId,
          isRetriable: properties.isRetriable,
        },
        cause,
      },
    );
    this.status = status;
    this.serviceCode = serviceCode;
    this.serviceMessage = serviceMessage;
    this.requestId = requestId;
    this.isRetriable = properties.isRetriable;
    this.retryAfterMs = properties.retryAfterMs;
    this.target = properties.target;
    this.serviceDetails = serviceDetails;
    this.body = properties.body;
  }
}

/** Whether an error is a service's answer with one of these statuses. */
export function isServiceError(
  error: unknown,
  ...statuses: readonly number[]
): error is ServiceError {
  return (
    error instanceof ServiceError && (statuses.length === 0 || statuses.includes(error.status))
  );
}

/** The result of a read; undefined when the service answers that the object does not exist. */
export async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isServiceError(error, 404)) return undefined;
    throw error;
  }
}

/**
 * Parses an error answer of any shape: `{error: {code, message, target, details}}` (directory,
 * billing, resource manager), `{errorCode, message, isRetriable, requestId, moreDetails}` (items),
 * or anything else (a proxy's page, an empty body).
 */
export function readServiceError(
  request: { method: string; url: string },
  response: Response,
  body: unknown,
): ServiceError {
  const retryAfter = retryAfterMs(response.headers);
  const headerRequestId = requestIdOf(response.headers);
  const base = {
    ...request,
    status: response.status,
    body,
    isRetriable: [408, 429, 500, 502, 503, 504].includes(response.status),
    ...omitUndefined({ retryAfterMs: retryAfter }),
  };
  const itemsError = readItemsError(body);
  if (itemsError) {
    const requestId = itemsError.requestId ?? headerRequestId;
    return new ServiceError({
      ...base,
      ...itemsError,
      ...omitUndefined({ requestId }),
    });
  }
  const requestId = headerRequestId === undefined ? {} : { requestId: headerRequestId };
  const envelope = readEnvelopeError(body);
  if (envelope) return new ServiceError({ ...base, ...requestId, ...envelope });
  const text =
    typeof body === 'string' && body.trim() !== ''
      ? body.trim().slice(0, maxBodyExcerpt)
      : response.statusText || 'no details';
  return new ServiceError({
    ...base,
    ...requestId,
    serviceCode: '',
    serviceMessage: text,
    serviceDetails: [],
  });
}

/** How much of a body that is not JSON messages quote, in characters. */
const maxBodyExcerpt = 300;

type Json = Readonly<Record<string, unknown>>;

/** The error of an items answer or of a failed operation: `{errorCode, message, …}`. */
export function readItemsError(
  body: unknown,
):
  | (Pick<ServiceErrorProperties, 'serviceCode' | 'serviceMessage' | 'serviceDetails'> &
      Partial<Pick<ServiceErrorProperties, 'isRetriable' | 'requestId'>>)
  | undefined {
  if (!isObject(body) || typeof body['errorCode'] !== 'string') return undefined;
  return {
    serviceCode: body['errorCode'],
    serviceMessage: nonEmptyText(body['message']) ?? 'no message',
    serviceDetails: objectsIn(body['moreDetails']).map((detail) =>
      detailOf(detail['errorCode'], detail['message']),
    ),
    ...(typeof body['isRetriable'] === 'boolean' && { isRetriable: body['isRetriable'] }),
    ...(typeof body['requestId'] === 'string' && { requestId: body['requestId'] }),
  };
}

/** The error in an envelope (`{error: {code, message, …}}`), or of a token endpoint. */
function readEnvelopeError(
  body: unknown,
):
  | (Partial<ServiceErrorProperties> &
      Pick<ServiceErrorProperties, 'serviceCode' | 'serviceMessage' | 'serviceDetails'>)
  | undefined {
  const error = isObject(body) ? body['error'] : undefined;
  // The shape of token endpoints: {error: 'invalid_client', error_description}.
  if (isObject(body) && typeof error === 'string')
    return {
      serviceCode: error,
      serviceMessage: nonEmptyText(body['error_description']) ?? error,
      serviceDetails: [],
    };
  if (!isObject(error)) return undefined;
  const inner = isObject(error['innerError']) ? error['innerError'] : undefined;
  const requestId = nonEmptyText(inner?.['request-id']);
  const target = nonEmptyText(error['target']);
  return {
    serviceCode: nonEmptyText(error['code']) ?? '',
    serviceMessage: nonEmptyText(error['message']) ?? 'no message',
    serviceDetails: objectsIn(error['details']).map((detail) =>
      detailOf(detail['code'], detail['message'], detail['target']),
    ),
    ...omitUndefined({ target, requestId }),
  };
}

function detailOf(code: unknown, message: unknown, target?: unknown): ServiceErrorDetail {
  const [codeText, targetText] = [nonEmptyText(code), nonEmptyText(target)];
  return {
    message: nonEmptyText(message) ?? 'no message',
    ...omitUndefined({ code: codeText, target: targetText }),
  };
}

function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Query strings may hold personal data (filters, search words), so messages and logs leave them
 * out.
 */
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** The headers that services put a request id into, the most specific first. */
const requestIdHeaders = [
  'requestid',
  'request-id',
  'x-ms-request-id',
  'x-svc-request-id',
  'x-ms-correlation-request-id',
];

/** The request id that an answer carries, for error messages and support. */
export function requestIdOf(answer: Headers): string | undefined {
  for (const name of requestIdHeaders) {
    const id = answer.get(name);
    if (id !== null && id !== '') return id;
  }
  return undefined;
}
