import type { FaultInjector } from './injector.js';
import type { FaultRequest } from './request-match.js';

type Json = Record<string, unknown>;

/** Plays the faults that change an answer, and notes what was made. */
export function rewriteAnswer(
  faults: FaultInjector,
  request: FaultRequest,
  status: number,
  payload: string,
): string {
  if (status >= 300 || payload === '') return payload;
  const body = jsonOf(payload);
  if (body === undefined) return payload;
  if (request.method !== 'GET') {
    if (status === 201 && typeof body['id'] === 'string') faults.remember(body['id']);
    return payload;
  }
  const changed = withoutYoung(faults, request, body) ?? asOperation(faults, request, body);
  return changed === undefined ? payload : JSON.stringify(changed);
}

/** A list without what was just made; undefined where no fault strikes. */
function withoutYoung(faults: FaultInjector, request: FaultRequest, body: Json): Json | undefined {
  const { value } = body;
  if (!Array.isArray(value)) return undefined;
  const idOf = (entry: unknown): string => String((entry as Json | null)?.['id'] ?? '');
  const fault = faults.draw(['staleList'], request, ({ seconds = 5 }) =>
    value.some((entry) => faults.isRecent(idOf(entry), seconds)),
  );
  if (fault === undefined) return undefined;
  const { seconds = 5 } = fault;
  return { ...body, value: value.filter((entry) => !faults.isRecent(idOf(entry), seconds)) };
}

/** The state of an operation that does not end, or fails; undefined where no fault strikes. */
function asOperation(faults: FaultInjector, request: FaultRequest, body: Json): Json | undefined {
  if (!/\/operation(s|Statuses|Results)\/[^/]+$/i.test(request.path)) return undefined;
  if (typeof body['status'] !== 'string') return undefined;
  faults.remember(request.path);
  const fault = faults.draw(
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

function jsonOf(payload: string): Json | undefined {
  try {
    const value = JSON.parse(payload) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined;
  } catch {
    return undefined; // a text or a file
  }
}
