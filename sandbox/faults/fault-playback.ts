import { setTimeout as wait } from 'node:timers/promises';
import { RefusedRequest } from '../../services/common/service-error.js';
import { defaultSeconds, type Fault, type FaultKind } from './fault.js';
import type { FaultInjector } from './injector.js';
import type { FaultRequest } from './request-match.js';

const requestFaults: readonly FaultKind[] = ['throttled', 'unavailable', 'slow', 'notYetFound'];

/** A fault that a request meets, for `notYetFound` with the id of the object that is not found. */
export type DrawnFault = Fault & { readonly missing?: string };

/**
 * The fault that meets a request before its service sees it.
 *
 * @param requestText address and body, in which ids of objects are looked for
 * @param furtherKinds kinds to draw from besides those for every request
 */
export function drawFault(
  faults: FaultInjector,
  request: FaultRequest,
  requestText: string,
  furtherKinds: readonly FaultKind[] = [],
): DrawnFault | undefined {
  let missing: string | undefined;
  const fault = faults.drawFault(
    [...requestFaults, ...furtherKinds],
    request,
    ({ fault: kind, seconds = defaultSeconds.request }) => {
      if (kind !== 'notYetFound') return true;
      missing = faults.recentNames(seconds).find((id) => requestText.includes(id));
      return missing !== undefined;
    },
  );
  return fault && { ...fault, ...(missing !== undefined && { missing }) };
}

/** Plays a fault: waits, or refuses the request. @throws RefusedRequest */
export async function playFault({
  fault,
  seconds = defaultSeconds.request,
  retryAfter = defaultSeconds.retryAfter,
  missing = '',
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
        `Resource '${missing}' does not exist or one of its queried reference-property objects are not present.`,
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
