import { STATUS_CODES } from 'node:http';
import { isCastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { isServiceError, type ServiceError } from '../../clients/common/index.js';
import { ProviderFailure } from '../handlers/handler.js';
import type { Diagnostic } from '../schemas/schema.js';

/** The operation that failed. */
export type Operation =
  | 'create'
  | 'read'
  | 'update'
  | 'delete'
  | 'list'
  | 'plan'
  | 'import'
  | 'move'
  | 'upgrade'
  | 'configure';

const gerunds = {
  create: 'creating',
  read: 'retrieving',
  update: 'updating',
  delete: 'deleting',
  list: 'listing',
  plan: 'planning',
  import: 'importing',
  move: 'moving',
  upgrade: 'upgrading the state of',
  configure: 'configuring',
} as const;

/**
 * A failure as a diagnostic, in the official provider's words: with the service's code, message and
 * request id, never with a stack trace.
 */
export function toDiagnostic(error: unknown, operation: Operation, typeName: string): Diagnostic {
  if (error instanceof ProviderFailure)
    return {
      severity: 'error',
      summary: error.summary,
      ...omitUndefined({ detail: error.detail, path: error.path }),
    };
  if (isServiceError(error)) return serviceErrorDiagnostic(error, operation, typeName);
  if (isCastellanError(error))
    return {
      severity: 'error',
      summary: `${gerunds[operation]} ${typeName}: ${error.title}`,
      detail: `${error.code}: ${error.message}\n\n${error.help}`,
    };
  return {
    severity: 'error',
    summary: `${gerunds[operation]} ${typeName}`,
    detail: error instanceof Error ? error.message : String(error),
  };
}

function serviceErrorDiagnostic(
  error: ServiceError,
  operation: Operation,
  typeName: string,
): Diagnostic {
  if (typeName.startsWith('fabric_') || typeName.startsWith('castellan_event'))
    return itemsErrorDiagnostic(error, operation);
  if (typeName.startsWith('azapi_')) return azapiErrorDiagnostic(error, operation);
  const codeAndMessage =
    error.serviceCode === ''
      ? error.serviceMessage
      : `${error.serviceCode}: ${error.serviceMessage}`;
  const status = `unexpected status ${error.status} (${error.status} ${STATUS_CODES[error.status] ?? ''})`;
  return {
    severity: 'error',
    summary: `${gerunds[operation]} ${typeName}: ${status} with error: ${codeAndMessage}`,
    detail: requestLine(error),
  };
}

function itemsErrorDiagnostic(error: ServiceError, operation: Operation): Diagnostic {
  const verb = operation[0]?.toUpperCase() + operation.slice(1);
  const otherMessages = error.serviceDetails
    .map(({ message }) => message)
    .filter((message) => !error.serviceMessage.includes(message))
    .join(' / ');
  const message =
    otherMessages === '' ? error.serviceMessage : `${error.serviceMessage} / ${otherMessages}`;
  return {
    severity: 'error',
    summary: `${verb} operation`,
    detail: `Could not ${operation} resource: ${message}\n\nError Code: ${error.serviceCode}\n${requestLine(error)}`,
  };
}

function azapiErrorDiagnostic(error: ServiceError, operation: Operation): Diagnostic {
  const summary =
    operation === 'create' || operation === 'update'
      ? 'Failed to create/update resource'
      : `Failed to ${operation} resource`;
  const { method, url } = error.details;
  const body = `ERROR CODE: ${error.serviceCode}\n\n${error.serviceMessage}`;
  return {
    severity: 'error',
    summary,
    detail: `${String(method)} ${String(url)}\nRESPONSE ${error.status}: ${error.status} ${STATUS_CODES[error.status] ?? ''}\n${body}\n${requestLine(error)}`,
  };
}

function requestLine(error: ServiceError): string {
  return error.requestId === undefined ? '' : `Request ID: ${error.requestId}`;
}
