import type { Declaration, StackIndex } from './stack-index.js';

/** The construct id of the environment that apps of a stack get if they name none. */
export const ownEnvironmentId = 'environment';

/**
 * Whether an environment is the one that apps get if they name none. Only construct trees contain
 * it; in castellan.yaml, an environment of this name is like any other.
 */
export function isOwnEnvironment({ name, origin }: Declaration<'environments'>): boolean {
  return origin.constructPath !== undefined && name === ownEnvironmentId;
}

/** The environment that apps get if they name none, if the input contains it. */
export function ownEnvironmentOf(index: StackIndex): Declaration<'environments'> | undefined {
  const environment = index.find('environments', ownEnvironmentId);
  return environment !== undefined && isOwnEnvironment(environment) ? environment : undefined;
}
