import type { Runtime } from '../runtime.js';
import { withTimeout } from '../with-timeout.js';
import { ExternalCallError, reasonOf } from './external-call-error.js';

/** What a sidecar needs to serve, by its name in `--ready-when` and in the answer of `/readyz`. */
export const dependencies = {
  'token-store': 'tokenStore',
  upstream: 'upstream',
  'key-set': 'keySet',
} as const;
/** A name in `--ready-when`. */
export type Dependency = keyof typeof dependencies;

/** Whether something is reachable. */
export interface Check {
  readonly up: boolean;
  /** Whether readiness depends on it. */
  readonly counts: boolean;
  /** Of what was asked; without a password. */
  readonly address: string;
  /** Why it is down, by its code. */
  readonly error?: string;
}

/** The answer of `/readyz`. */
export interface Readiness {
  /** `unavailable`: something that counts is down; `draining`: the sidecar is stopping. */
  readonly status: 'ready' | 'unavailable' | 'draining';
  /** The names of what is down, whether or not readiness depends on it. */
  readonly down: readonly string[];
  /** By `tokenStore`, `upstream` and `keySet`, which has one for each provider. */
  readonly checks: Readonly<Record<string, Check | readonly Check[]>>;
}

/** How long to wait for an answer, in milliseconds: orchestrators stop waiting soon. */
const checkTimeoutMs = 2500;

/**
 * Checks all dependencies of the sidecar.
 *
 * @param required the dependencies without which the sidecar is not ready.
 * @param tokenStore the address of the token store, without its password.
 */
export async function checkReadiness(
  runtime: Runtime,
  required: readonly Dependency[],
  tokenStore: string,
): Promise<Readiness> {
  const { pool, sessionStore, providers, hasApp } = runtime;
  const check = async (
    name: Dependency,
    address: () => string,
    ask: () => Promise<unknown>,
  ): Promise<Check> => {
    const counts = required.includes(name);
    try {
      await withTimeout(ask(), checkTimeoutMs);
      return { up: true, counts, address: address() };
    } catch (error) {
      return {
        up: false,
        counts,
        address: error instanceof ExternalCallError ? error.address : address(),
        error: reasonOf(error),
      };
    }
  };
  const keySets = [...providers.values()].flatMap((each) => each.keySet ?? []);
  const [store, app, ...keys] = await Promise.all([
    check(
      'token-store',
      () => tokenStore,
      () => sessionStore.checkReachable(),
    ),
    hasApp
      ? check(
          'upstream',
          () => pool.url,
          () => pool.checkReachable(),
        )
      : undefined,
    ...keySets.map(({ address, refresh }) => check('key-set', address, refresh)),
  ]);
  const checksByDependency = {
    tokenStore: [store],
    upstream: app === undefined ? [] : [app],
    keySet: keys,
  };
  const down = Object.entries(checksByDependency).flatMap(([name, checks]) =>
    checks.some(({ up }) => !up) ? [name] : [],
  );
  const isReady = Object.values(checksByDependency).every((checks) =>
    checks.every(({ up, counts }) => up || !counts),
  );
  return {
    status: isReady ? 'ready' : 'unavailable',
    down,
    checks: { tokenStore: store, ...(app && { upstream: app }), keySet: keys },
  };
}
