import type { Fault, FaultService } from './fault.js';

/** A request, as faults see it. */
export interface FaultRequest {
  readonly service: FaultService;
  readonly method: string;
  /** Without prefix and query. */
  readonly path: string;
  /** The ids and names of its sender, in lower case; a fault's `caller` is one of them. */
  readonly callers: readonly string[];
}

/** Whether a fault is for a request; which share of such requests it hits is drawn later. */
export function matchesFault(fault: Fault, request: FaultRequest): boolean {
  if ((fault.service ?? request.service) !== request.service) return false;
  if (fault.caller !== undefined && !request.callers.includes(fault.caller.toLowerCase()))
    return false;
  if (isBatch(request) && !isForWholeBatch(fault)) return false;
  if (fault.operation === undefined) return true;
  const [method = '', path = ''] = fault.operation.split(' ', 2);
  return (method === '*' || method === request.method) && pathPattern(path).test(request.path);
}

function isBatch({ service, path }: FaultRequest): boolean {
  return service === 'directory' && path.toLowerCase() === '/$batch';
}

/**
 * Whether a fault is for a `$batch` request itself: it closes the connection, or names the batch.
 * Other faults are for the requests inside.
 */
function isForWholeBatch({ fault, operation = '' }: Fault): boolean {
  return fault === 'reset' || fault === 'hang' || operation.toLowerCase().includes('/$batch');
}

function pathPattern(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment === '**') return '.*';
    return segment
      .split('*')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]*');
  });
  return new RegExp(`^${segments.join('/')}/?$`, 'i');
}

/**
 * The ids and names of the caller in a bearer token. Its signature is not checked, since they only
 * decide which requests meet a fault.
 */
export function callerIdentifiers(authorization: string | undefined): readonly string[] {
  const payload = /^Bearer [^.\s]+\.([^.\s]+)\./i.exec(authorization ?? '')?.[1];
  if (payload === undefined) return [];
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    return callersInClaims(claims);
  } catch {
    return []; // the service refuses a token that is not readable
  }
}

/** The ids and names of the caller in the claims of a token, in lower case. */
export function callersInClaims(claims: Readonly<Record<string, unknown>>): readonly string[] {
  return ['appid', 'azp', 'oid', 'sub', 'upn', 'preferred_username']
    .map((name) => claims[name])
    .filter((value) => typeof value === 'string')
    .map((value) => value.toLowerCase());
}
