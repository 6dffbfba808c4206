import { setTimeout as wait } from 'node:timers/promises';
import { RefusedRequest } from '../../services/common/service-error.js';
import type { Fault, FaultKind } from './fault.js';
import type { FaultInjector } from './injector.js';
import type { FaultRequest } from './request-match.js';

const kinds: readonly FaultKind[] = ['throttled', 'unavailable', 'slow', 'notYetFound'];

/** A fault that strikes before a request reaches its service, with the object that it is about. */
export type DrawnFault = Fault & { readonly missing?: string };

/**
 * The fault that meets a request before its service sees it.
 *
 * @param named address and body: an object that either names may not be there yet
 * @param furtherKinds which are for this request as well
 */
export function drawFault(
  faults: FaultInjector,
  request: FaultRequest,
  named: string,
  furtherKinds: readonly FaultKind[] = [],
): DrawnFault | undefined {
  let missing: string | undefined;
  const fault = faults.draw(
    [...kinds, ...furtherKinds],
    request,
    ({ fault: kind, seconds = 5 }) => {
      if (kind !== 'notYetFound') return true;
      missing = faults.recentNames(seconds).find((id) => named.includes(id));
      return missing !== undefined;
    },
  );
  return fault && { ...fault, ...(missing !== undefined && { missing }) };
}

/** Plays a fault: waits, or refuses the request. @throws RefusedRequest */
export async function playFault({
  fault,
  seconds = 5,
  retryAfter = 1,
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
