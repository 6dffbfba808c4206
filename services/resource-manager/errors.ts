import { managementTokenCodes } from '../common/management-access.js';
import { errorEnvelope, type Refusal, ServiceError } from '../common/service-error.js';

/** An answer in the resource manager's error envelope: `{"error": {"code", "message"}}`. */
export class ArmError extends ServiceError {
  toBody(): { error: { code: string; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}

/** 400: a value is not allowed. */
export function badRequest(code: string, message: string): ArmError {
  return new ArmError(400, code, message);
}

/** 400 InvalidRequestContent: the body, or a value in it, does not have the expected form. */
export function invalidContent(problem: string): ArmError {
  return badRequest(
    'InvalidRequestContent',
    `The request content was invalid and could not be deserialized: ${problem}`,
  );
}

/** 409: the request conflicts with an existing resource. */
export function conflict(code: string, message: string): ArmError {
  return new ArmError(409, code, message);
}

/** 404 for a resource in a group. */
export function resourceNotFound(type: string, name: string, group: string): ArmError {
  return new ArmError(
    404,
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${group}' was not found.`,
  );
}

/** 404 for a group. */
export function resourceGroupNotFound(group: string): ArmError {
  return new ArmError(
    404,
    'ResourceGroupNotFound',
    `Resource group '${group}' could not be found.`,
  );
}

/** 405. */
export function methodNotAllowed(method: string): ArmError {
  return new ArmError(405, 'MethodNotAllowed', `The method ${method} is not allowed here.`);
}

/** Converts an error of the chassis to the resource manager's shape. */
export function toArmError(refusal: Refusal): ArmError {
  const { kind, status, message, headers } = refusal;
  switch (kind) {
    case 'unauthenticated':
      return new ArmError(
        status,
        managementTokenCodes[refusal.tokenRefusal],
        refusal.tokenRefusal === 'missing'
          ? "Authentication failed. The 'Authorization' header is missing."
          : message,
        {
          'www-authenticate': `Bearer authorization_uri="${refusal.origin}/common/oauth2/authorize", error="invalid_token"`,
        },
      );
    case 'unreadable':
      return new ArmError(
        status,
        status === 415 ? 'UnsupportedMediaType' : 'InvalidRequestContent',
        invalidContent(message).message,
      );
    default:
      return new ArmError(status, armCodes[kind], message, headers);
  }
}

const armCodes = {
  throttled: 'TooManyRequests',
  unknownPath: 'NotFound',
  failed: 'InternalServerError',
  unavailable: 'ServiceUnavailable',
  notFound: 'ResourceNotFound',
  notServed: 'NotImplemented',
} as const;

/** JSON Schema of an error answer. */
export const errorSchema = errorEnvelope();
