import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Answer } from '../../common/call.js';
import {
  type ErrorContext,
  errorEnvelope,
  type Refusal,
  ServiceError,
} from '../../common/service-error.js';

/** One entry of an error's `details`. */
export interface ErrorDetail {
  readonly code: string;
  /** The property whose value is refused. */
  readonly target?: string;
  readonly message: string;
  readonly [extra: string]: unknown;
}

/** An error that the directory answers: HTTP status, error code, message, optional details. */
export class DirectoryError extends ServiceError {
  constructor(
    status: number,
    code: string,
    message: string,
    readonly details?: readonly ErrorDetail[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(status, code, message, headers);
    this.name = 'DirectoryError';
  }

  toBody({ requestId, clientRequestId, now }: ErrorContext): { readonly error: object } {
    const { code, message, details } = this;
    const innerError = {
      date: now.toISOString().slice(0, 19),
      'request-id': requestId,
      'client-request-id': clientRequestId,
    };
    return { error: { code, message, ...omitUndefined({ details }), innerError } };
  }
}

/** The error codes of the chassis's refusals, by kind. */
const errorCodes = {
  throttled: 'TooManyRequests',
  unreadable: 'Request_BadRequest',
  failed: 'Service_InternalServerError',
  unavailable: 'Service_ServiceUnavailable',
  notFound: 'Request_ResourceNotFound',
  notServed: 'NotImplemented',
} as const;

/** Converts an error of the chassis to the directory's shape. */
export function toDirectoryError(refusal: Refusal): DirectoryError {
  if (refusal.kind === 'unknownPath') return pathNotFound(refusal.path);
  const code =
    refusal.kind === 'unauthenticated' ? 'InvalidAuthenticationToken' : errorCodes[refusal.kind];
  return new DirectoryError(refusal.status, code, refusal.message, undefined, refusal.headers);
}

/** JSON Schema of an error answer. */
export const errorSchema = errorEnvelope(
  { details: { type: 'array', items: { type: 'object' } }, innerError: { type: 'object' } },
  ['innerError'],
);

/**
 * 400: a malformed body, a missing or invalid property, or a violated rule. `target` names the
 * property.
 */
export function badRequest(
  message: string,
  target?: string,
  code = 'Request_BadRequest',
): DirectoryError {
  return new DirectoryError(
    400,
    code,
    message,
    target === undefined ? undefined : [{ code: 'InvalidValue', target, message }],
  );
}

/** 400: the value of a property is not allowed. */
export function invalidProperty(name: string, expectation: string): DirectoryError {
  return badRequest(`Invalid value specified for property '${name}': ${expectation}.`, name);
}

/** 400, as in the cloud, not 409: another object has this value. `target` names the property. */
export function objectConflict(message: string, target: string): DirectoryError {
  return new DirectoryError(400, 'Request_BadRequest', message, [
    { code: 'ObjectConflict', target, message },
  ]);
}

/** 403: a rule of the directory forbids it. */
export function accessDenied(message: string): DirectoryError {
  return new DirectoryError(403, 'Authorization_RequestDenied', message);
}

/**
 * 403: the permission or directory role is missing, or this kind of caller is not supported.
 *
 * @param reason what is missing or not supported, without a full stop.
 */
export function insufficientPrivileges(reason?: string): DirectoryError {
  return accessDenied(
    `Insufficient privileges to complete the operation${reason === undefined ? '' : `: ${reason}`}.`,
  );
}

/**
 * 404: an unknown object, or an unknown target of a reference. Clients look for exactly these
 * words.
 */
export function objectNotFound(id: string): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

/** 404: an unknown path. */
export function pathNotFound(segment: string): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    `Resource not found for the segment '${segment}'.`,
  );
}

/** 404: an unknown item of a group's mailbox (photo, events, conversations). */
export function itemNotFound(
  message = 'The specified object was not found in the store.',
): DirectoryError {
  return new DirectoryError(404, 'ErrorItemNotFound', message);
}

/** 405: the path exists, but does not support the method. */
export function methodNotAllowed(method: string, allowed: readonly string[]): DirectoryError {
  const list = allowed.join(', ');
  const message = `The method ${method} is not allowed here; allowed: ${list}.`;
  return new DirectoryError(405, 'Request_BadRequest', message, undefined, { allow: list });
}

/** 400: the reference exists already. Clients look for exactly these words. */
export function referenceExists(property: string): DirectoryError {
  return badRequest(
    `One or more added object references already exist for the following modified properties: '${property}'.`,
  );
}

/** 403: an object has more references of one relationship than allowed. */
export function linkQuotaExceeded(
  link: string,
  requested: number,
  maximum: number,
): DirectoryError {
  return new DirectoryError(
    403,
    'Directory_QuotaExceeded',
    `The directory object quota limit for the forward-link ${link} has been exceeded: ${requested} requested, at most ${maximum} allowed.`,
  );
}

/** 404: the reference to remove does not exist. Clients look for exactly these words. */
export function referenceMissing(property: string): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    `One or more removed object references do not exist for the following modified properties: '${property}'.`,
  );
}

export { created, ok } from '../../common/call.js';

type Json = Readonly<Record<string, unknown>>;

/** The answer of an operation. */
export interface Reply extends Answer {
  /** JSON, text (`$count`) or bytes (photos); absent for an empty answer. */
  readonly body?: Json | string | Buffer;
}

/** The content type of JSON answers. */
export const jsonContentType =
  'application/json; odata.metadata=minimal; odata.streaming=true; IEEE754Compatible=false; charset=utf-8';

/** 204: success without a body. */
export const noContent: Reply = { status: 204 };

/** A number as text, for `/$count`. */
export function plainCount(count: number): Reply {
  return { status: 200, body: String(count), contentType: 'text/plain' };
}

/** Matches paths with answers other than JSON: counts, pictures, files. */
const nonJsonPath = /\/(?:(?:\$|%24)(?:count|value)|content|logo)\/?$/i;

/**
 * Checks that the `Accept` header admits JSON, which most operations return. Parameters of a media
 * type are ignored.
 *
 * @param path without the query.
 * @throws DirectoryError 406.
 */
export function requireAcceptable(accept: string | undefined, path: string): void {
  if (
    accept === undefined ||
    accept.trim() === '' ||
    accept.includes('json') ||
    accept.includes('*/*') ||
    nonJsonPath.test(path)
  )
    return;
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  if (ranges.includes('application/*')) return;
  throw new DirectoryError(
    406,
    'Request_BadRequest',
    `The service returns application/json, which the Accept header '${accept.slice(0, 100)}' does not allow.`,
  );
}
