import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ResourcePath } from './kind.js';
import { kindOf } from './kinds/index.js';
import type { Json } from './store.js';

/**
 * The headers that lead to the operation behind a write of a type without rules of its own, as those types have them in the cloud. It is
 * done when the answer is given: each query of its state says so.
 */
export function operationHeaders(request: FastifyRequest, { subscription, type }: ResourcePath): Readonly<Record<string, string>> {
  if (!kindOf(type).generic) return {};
  const { 'api-version': version } = request.query as Record<string, string>;
  const namespace = type.split('/')[0] ?? '';
  const operation = `/subscriptions/${subscription}/providers/${namespace}/locations/global/operationStatuses/${randomUUID()}`;
  return {
    'azure-asyncoperation': `${request.protocol}://${request.host}${operation}?api-version=${version ?? ''}`,
    'retry-after': '0',
  };
}

/** Whether a path is that of an operation. */
export function isOperation({ type }: ResourcePath): boolean {
  return /^[^/]+\/locations\/operation(statuses|results)$/i.test(type);
}

/** An operation as it is reported: done. */
export function presentOperation({ id, name }: ResourcePath): Json {
  return { id, name, status: 'Succeeded' };
}
