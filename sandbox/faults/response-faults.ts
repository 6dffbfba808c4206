import { defaultSeconds } from './fault.js';
import type { FaultInjector } from './injector.js';
import type { FaultRequest } from './request-match.js';

type JsonObject = Record<string, unknown>;

/**
 * Injects the faults that change a response: stale lists, and operations that do not end or fail. Also
 * remembers when objects were created and operations first queried, on which these faults depend.
 */
export function rewriteResponse(
  faults: FaultInjector,
  request: FaultRequest,
  status: number,
  payload: string,
): string {
  if (status >= 300 || payload === '') return payload;
  const body = parseJsonObject(payload);
  if (body === undefined) return payload;
  if (request.method !== 'GET') {
    if (status === 201 && typeof body['id'] === 'string') faults.rememberFirstSeen(body['id']);
    return payload;
  }
  const rewritten =
    withoutRecentObjects(faults, request, body) ?? withOperationStatus(faults, request, body);
  return rewritten === undefined ? payload : JSON.stringify(rewritten);
}

/** A list without objects that were just created; undefined if the request meets no such fault. */
function withoutRecentObjects(
  faults: FaultInjector,
  request: FaultRequest,
  body: JsonObject,
): JsonObject | undefined {
  const { value } = body;
  if (!Array.isArray(value)) return undefined;
  const idOf = (entry: unknown): string => String((entry as JsonObject | null)?.['id'] ?? '');
  const fault = faults.drawFault(['staleList'], request, ({ seconds = defaultSeconds.request }) =>
    value.some((entry) => faults.isRecent(idOf(entry), seconds)),
  );
  if (fault === undefined) return undefined;
  const { seconds = defaultSeconds.request } = fault;
  return { ...body, value: value.filter((entry) => !faults.isRecent(idOf(entry), seconds)) };
}

/**
 * The status of an operation as one that does not end, or fails; undefined if the request meets no
 * such fault.
 */
function withOperationStatus(
  faults: FaultInjector,
  request: FaultRequest,
  body: JsonObject,
): JsonObject | undefined {
  if (!/\/operation(s|Statuses|Results)\/[^/]+$/i.test(request.path)) return undefined;
  if (typeof body['status'] !== 'string') return undefined;
  faults.rememberFirstSeen(request.path);
  const fault = faults.drawFault(
    ['operationRunning', 'operationFailed'],
    request,
    ({ fault: kind, seconds = Infinity }) =>
      kind !== 'operationRunning' || faults.isRecent(request.path, seconds),
  );
  if (fault === undefined) return undefined;
  if (fault.fault === 'operationRunning')
    return { ...body, status: 'Running', percentComplete: 50 };
  const message = 'The operation failed.';
  const error = { errorCode: 'UnknownError', code: 'UnknownError', message };
  return { ...body, status: 'Failed', percentComplete: null, error };
}

function parseJsonObject(payload: string): JsonObject | undefined {
  try {
    const value = JSON.parse(payload) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined; // a text or a file
  }
}
