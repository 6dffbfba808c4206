/** The name of the environment that has no overlay. */
export const defaultEnvironment = 'default';

/**
 * The folder below a project that holds what is local to one of its environments: sandbox, states, generated secrets. The environment
 * without an overlay has `.castellan` itself.
 *
 * @example environmentFolder('prod') // '.castellan/environments/prod'
 */
export function environmentFolder(environment?: string): string {
  return environment === undefined || environment === defaultEnvironment ? '.castellan' : `.castellan/environments/${environment}`;
}
