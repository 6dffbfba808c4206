import type { Fault, FaultService } from './fault.js';

/** A request, as faults see it. */
export interface FaultRequest {
  readonly service: FaultService;
  readonly method: string;
  /** Without prefix and query. */
  readonly path: string;
  /** The ids and names of its sender. */
  readonly callers: readonly string[];
}

/** Whether a fault is for a request, before its share is drawn. */
export function matchesFault(fault: Fault, request: FaultRequest): boolean {
  if ((fault.service ?? request.service) !== request.service) return false;
  if (fault.caller !== undefined && !request.callers.includes(fault.caller.toLowerCase()))
    return false;
  if (isBatch(request) && !meetsBatch(fault)) return false;
  if (fault.operation === undefined) return true;
  const [method = '', path = ''] = fault.operation.split(' ', 2);
  return (method === '*' || method === request.method) && pathPattern(path).test(request.path);
}

function isBatch({ service, path }: FaultRequest): boolean {
  return service === 'directory' && path.toLowerCase() === '/$batch';
}

/** What meets a request inside of a batch leaves the batch alone, unless it names it. */
function meetsBatch({ fault, operation = '' }: Fault): boolean {
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
 * The ids and names in a bearer token, without a look at its signature: a fault only chooses whom
 * it meets.
 */
export function callersOf(authorization: string | undefined): readonly string[] {
  const payload = /^Bearer [^.\s]+\.([^.\s]+)\./i.exec(authorization ?? '')?.[1];
  if (payload === undefined) return [];
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    return ['appid', 'azp', 'oid', 'sub', 'upn', 'preferred_username']
      .map((name) => claims[name])
      .filter((value) => typeof value === 'string')
      .map((value) => value.toLowerCase());
  } catch {
    return []; // the service refuses a token that is not readable
  }
}
