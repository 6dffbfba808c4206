import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CastellanError } from '../errors/castellan-error.js';
import { isObject } from '../values/is-object.js';

/** The name of the environment that has no overlay. */
export const defaultEnvironment = 'default';

/**
 * The folder below a project with the local data of one of its environments: sandbox, states,
 * generated secrets. The environment without an overlay uses `.castellan` itself.
 *
 * @example environmentFolder('prod') // '.castellan/environments/prod'
 *
 * @throws CAS8001 for a text that can't name an environment, such as `../prod`.
 */
export function environmentFolder(environment?: string): string {
  if (environment === undefined || environment === defaultEnvironment) return '.castellan';
  if (!isEnvironmentName(environment))
    throw new CastellanError(
      'CAS8001',
      `there is no environment "${environment}": a name has letters, digits, - and _`,
    );
  return `.castellan/environments/${environment}`;
}

/** Names the environment of the sandbox that a shell uses; `castellan sandbox env` sets it. */
export const environmentVariable = 'CASTELLAN_ENVIRONMENT';

/**
 * The environment of the sandbox that a shell uses.
 *
 * @returns undefined for the default one, and where the variable is unset or empty
 */
export function environmentOfShell(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = env[environmentVariable];
  return !name || name === defaultEnvironment ? undefined : name;
}

/** Whether a text can name an environment. */
export function isEnvironmentName(text: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(text);
}

/**
 * The file in an environment's folder that names the environment of which its sandbox is a copy.
 */
export const forkFile = 'copy.json';

/**
 * The environment of which another one is a copy (`castellan sandbox fork`).
 *
 * @returns undefined for an environment of its own
 * @throws CAS4013 when the file that names it is damaged
 */
export function forkedFrom(projectDir: string, environment: string): string | undefined {
  const file = join(projectDir, environmentFolder(environment), forkFile);
  if (environment === defaultEnvironment || !existsSync(file)) return undefined;
  const fork = tryParseJson(readFileSync(file, 'utf8'));
  if (isObject(fork) && typeof fork['of'] === 'string') return fork['of'];
  throw new CastellanError(
    'CAS4013',
    `${file} does not say of which environment ${environment} is a copy (allowed: {"of": "NAME"}); correct it, or delete the folder and copy again with \`castellan sandbox fork\``,
  );
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it
  }
}
