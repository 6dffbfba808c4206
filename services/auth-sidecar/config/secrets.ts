import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The largest file that is taken for a secret, in bytes: as much as orchestrators allow. */
export const largestSecret = 1024 * 1024;

/** A file of the directory of secrets that can't be taken for a secret. */
export class RefusedSecret extends Error {}

/** Where `…SettingName` values are looked up (`--secrets DIR` and the environment). */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
}

/**
 * The value of a secret by its name: an environment variable of exactly that name, then in upper case with `-` as `_`, then a file of that
 * name. A file's last line ending doesn't count. Undefined when there is none or it is empty.
 *
 * @throws {@link RefusedSecret} for a file that is too large, is none, or can't be read
 */
export function findSecret(name: string, sources: SecretSources): string | undefined {
  const variable = (each: string): string | undefined => (Object.hasOwn(sources.env, each) ? sources.env[each] : undefined);
  const value = variable(name) || variable(variableOf(name)) || readSecretFile(name, sources.directory);
  return value === undefined || value === '' ? undefined : value;
}

function readSecretFile(name: string, directory: string | undefined): string | undefined {
  if (directory === undefined || !/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) return undefined;
  const file = join(directory, name);
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new RefusedSecret('is not a file');
    if (stats.size > largestSecret) throw new RefusedSecret(`is larger than 1 MiB (${stats.size} bytes)`);
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof RefusedSecret) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined; // no such file: the caller reports the missing secret
    throw new RefusedSecret(`can not be read (${code ?? 'unknown reason'}): mind the user that the sidecar runs as`);
  }
}

/** The variable of the environment that holds a secret of this name: `CODE_HOST_SECRET` for `code-host-secret`. */
export function variableOf(name: string): string {
  return name.toUpperCase().replace(/-/g, '_');
}
