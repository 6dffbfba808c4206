import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `…SettingName` values are looked up (`--secrets DIR` and the environment). */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
}

/**
 * The value of a secret by its name: an environment variable of exactly that name, then in upper case with `-` as `_`, then a file of that
 * name. A file's last line ending doesn't count. Undefined when there is none or it is empty.
 */
export function findSecret(name: string, sources: SecretSources): string | undefined {
  const variable = (each: string): string | undefined => (Object.hasOwn(sources.env, each) ? sources.env[each] : undefined);
  const value = variable(name) || variable(name.toUpperCase().replace(/-/g, '_')) || readSecretFile(name, sources.directory);
  return value === undefined || value === '' ? undefined : value;
}

function readSecretFile(name: string, directory: string | undefined): string | undefined {
  if (directory === undefined || !/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) return undefined;
  try {
    return readFileSync(join(directory, name), 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined; // no such file: the caller reports the missing secret
  }
}
