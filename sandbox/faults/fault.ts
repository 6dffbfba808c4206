/** The faults that a sandbox can inject, with what each does. */
export const faultKinds = {
  throttled: 'answers 429, with Retry-After',
  unavailable: 'answers 503, with Retry-After',
  slow: 'answers after `seconds` (5)',
  reset: 'ends the connection without an answer',
  hang: 'gives no answer; after `seconds`, where given, it ends the connection',
  notYetFound: 'an object answers 404 until `seconds` (5) after it was created',
  staleList: 'a list leaves out what was created in the last `seconds` (5)',
  operationRunning:
    'an operation reports Running for `seconds` (for ever) after it was first queried',
  operationFailed: 'an operation reports Failed',
  lostPrincipal: 'an app gets a request without the headers of the signed-in person',
  clockAhead: 'tokens are issued by a clock that is `seconds` (600) ahead',
} as const;

/**
 * The `seconds` and the `retryAfter` of a fault that states none, as {@link faultKinds} says them;
 * `request` is for the faults of single requests.
 */
export const defaultSeconds = { request: 5, clockAhead: 600, retryAfter: 1 } as const;

/** What goes wrong. */
export type FaultKind = keyof typeof faultKinds;

/** The services that faults name. */
export const faultServices = [
  'directory',
  'items',
  'billing',
  'resource-manager',
  'identity-provider',
  'app',
] as const;

/** A service that faults name; `app` is an app of the sandbox, behind its sign-in layer. */
export type FaultService = (typeof faultServices)[number];

/** One fault: what goes wrong, and for which requests. */
export interface Fault {
  /** What goes wrong. */
  readonly fault: FaultKind;
  /** @default every service that the fault is possible for */
  readonly service?: FaultService;
  /**
   * Method and path below the service's prefix: `POST /groups`, `GET /groups/*`, `* /groups/**`;
   * `*` is one segment of a path, `**` all that follow.
   *
   * @default every operation
   */
  readonly operation?: string;
  /** An application's id, an object id or a user principal name in the token. @default everyone */
  readonly caller?: string;
  /** The share of the matching requests that it meets, from 0 to 1. @default 1 */
  readonly share?: number;
  /** The most requests that it meets. @default no limit */
  readonly times?: number;
  /** A duration whose meaning depends on the fault: see {@link faultKinds}. */
  readonly seconds?: number;
  /** The `Retry-After` of `throttled` and `unavailable`, in seconds. @default 1 */
  readonly retryAfter?: number;
}

/** The faults of a sandbox. */
export interface FaultPlan {
  /** The preset that they come from, or the file. */
  readonly name?: string;
  /** Draws which requests a share meets: the same seed meets the same ones. @default 1 */
  readonly seed?: number;
  /** What goes wrong; of several that match a request, the first is injected. */
  readonly faults: readonly Fault[];
}

/** No faults. */
export const noFaults: FaultPlan = { faults: [] };
