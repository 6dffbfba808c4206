import type { Declaration, StackIndex } from './stack-index.js';

/** The construct id of the environment that apps of a stack get if they name none. */
export const ownEnvironmentId = 'environment';

/** Its id where the program has another construct of that id, such as a variable. */
const prefixedEnvironmentId = `castellan-${ownEnvironmentId}`;

/** Whether a construct id directly in a stack is that of the environment of its apps. */
export function isOwnEnvironmentId(id: string): boolean {
  return id === ownEnvironmentId || id === prefixedEnvironmentId;
}

/**
 * Whether an environment is the one that apps get if they name none. Only construct trees contain
 * it; in castellan.yaml, an environment of this name is like any other.
 */
export function isOwnEnvironment({ name, origin }: Declaration<'environments'>): boolean {
  return origin.constructPath !== undefined && isOwnEnvironmentId(name);
}

/** The environment that apps get if they name none, if the input contains it. */
export function ownEnvironmentOf(index: StackIndex): Declaration<'environments'> | undefined {
  return [ownEnvironmentId, prefixedEnvironmentId]
    .flatMap((id) => index.find('environments', id) ?? [])
    .find(isOwnEnvironment);
}
