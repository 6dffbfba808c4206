/** The name of the environment that has no overlay. */
export const defaultEnvironment = 'default';

/**
 * The folder below a project with the local data of one of its environments: sandbox, states,
 * generated secrets. The environment without an overlay uses `.castellan` itself.
 *
 * @example environmentFolder('prod') // '.castellan/environments/prod'
 */
export function environmentFolder(environment?: string): string {
  return environment === undefined || environment === defaultEnvironment
    ? '.castellan'
    : `.castellan/environments/${environment}`;
}
