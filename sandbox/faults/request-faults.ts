import { setTimeout as wait } from 'node:timers/promises';
import { RefusedRequest } from '../../services/common/service-error.js';
import { defaultSeconds, type Fault, type FaultKind } from './fault.js';
import type { FaultInjector } from './injector.js';
import type { FaultRequest } from './request-match.js';

const requestFaults: readonly FaultKind[] = ['throttled', 'unavailable', 'slow', 'notYetFound'];

/** A fault that a request meets, for `notYetFound` with the id of the object that is not found. */
export type DrawnFault = Fault & { readonly missingId?: string };

/**
 * Draws the fault that a request meets before its service sees it; undefined if it meets none.
 *
 * @param requestText URL and body, in which the ids of recent objects are searched
 * @param furtherKinds kinds to draw from besides those for every request
 */
export function drawRequestFault(
  faults: FaultInjector,
  request: FaultRequest,
  requestText: string,
  furtherKinds: readonly FaultKind[] = [],
): DrawnFault | undefined {
  let missingId: string | undefined;
  const fault = faults.drawFault(
    [...requestFaults, ...furtherKinds],
    request,
    ({ fault: kind, seconds = defaultSeconds.request }) => {
      if (kind !== 'notYetFound') return true;
      missingId = faults.recentIds(seconds).find((id) => requestText.includes(id));
      return missingId !== undefined;
    },
  );
  return fault && { ...fault, ...(missingId !== undefined && { missingId }) };
}

/** Injects a fault: waits, or refuses the request. @throws RefusedRequest */
export async function injectFault({
  fault,
  seconds = defaultSeconds.request,
  retryAfter = defaultSeconds.retryAfter,
  missingId = '',
}: DrawnFault): Promise<void> {
  const headers = { 'retry-after': String(retryAfter) };
  switch (fault) {
    case 'slow':
      return wait(seconds * 1000);
    case 'throttled':
      throw refusal(429, 'throttled', 'Too many requests.', headers);
    case 'unavailable':
      throw refusal(503, 'unavailable', 'The service is unavailable.', headers);
    case 'notYetFound':
      throw refusal(
        404,
        'notFound',
        `Resource '${missingId}' does not exist or one of its queried reference-property objects are not present.`,
      );
  }
}

function refusal(
  status: number,
  kind: 'throttled' | 'unavailable' | 'notFound',
  message: string,
  headers: Readonly<Record<string, string>> = {},
): RefusedRequest {
  return new RefusedRequest({ kind, status, message, headers });
}
