/** One entry of an error's `details`. */
export interface ErrorDetail {
  readonly code: string;
  readonly target?: string;
  readonly message: string;
  readonly [extra: string]: unknown;
}

/** An error as the directory answers it: HTTP status, the service's own code, a message for people, optional details. */
export class DirectoryError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details?: readonly ErrorDetail[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'DirectoryError';
  }
}

/** 400: a malformed body, a missing or invalid property, a broken rule. `target` names the property. */
export function badRequest(message: string, target?: string, code = 'Request_BadRequest'): DirectoryError {
  return new DirectoryError(400, code, message, target === undefined ? undefined : [{ code: 'InvalidValue', target, message }]);
}

/** 400: another object has this value already. */
export function conflict(target: string, message: string): DirectoryError {
  return new DirectoryError(400, 'Request_BadRequest', message, [{ code: 'ObjectConflict', target, message }]);
}

/** 401: no token, or one that doesn't hold. */
export function unauthenticated(message: string): DirectoryError {
  return new DirectoryError(401, 'InvalidAuthenticationToken', message, undefined, { 'www-authenticate': 'Bearer' });
}

/** 403: the permission or the directory role is missing, or the operation is closed to this kind of caller. */
export function denied(message = 'Insufficient privileges to complete the operation.'): DirectoryError {
  return new DirectoryError(403, 'Authorization_RequestDenied', message);
}

/** 404: an unknown object, or one that a reference names. The clients look for exactly these words. */
export function objectNotFound(id: string): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

/** 404: a path that leads nowhere. */
export function pathNotFound(segment: string): DirectoryError {
  return new DirectoryError(404, 'Request_ResourceNotFound', `Resource not found for the segment '${segment}'.`);
}

/** 404 of the mailbox-backed areas (photo, events, conversations). */
export function itemNotFound(message = 'The specified object was not found in the store.'): DirectoryError {
  return new DirectoryError(404, 'ErrorItemNotFound', message);
}

/** 405: the path is known, the method isn't. */
export function methodNotAllowed(method: string, allowed: readonly string[]): DirectoryError {
  return new DirectoryError(
    405,
    'Request_BadRequest',
    `The method ${method} is not allowed here; allowed: ${allowed.join(', ')}.`,
    undefined,
    {
      allow: allowed.join(', '),
    },
  );
}

/** 400: the reference is there already. The clients look for exactly these words. */
export function referenceExists(property: string): DirectoryError {
  return badRequest(`One or more added object references already exist for the following modified properties: '${property}'.`);
}

/** 404: the reference to remove isn't there. The clients look for exactly these words. */
export function referenceMissing(property: string): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    `One or more removed object references do not exist for the following modified properties: '${property}'.`,
  );
}
