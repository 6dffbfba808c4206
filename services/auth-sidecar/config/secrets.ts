import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The largest secret file, in bytes: the limit of orchestrators. */
export const maxSecretBytes = 1024 * 1024;

/** A file in the directory of secrets that cannot be used. */
export class SecretFileError extends Error {}

/** Where the secrets that `…SettingName` values name are: `--secrets DIR` and the environment. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Has a file for each secret, by its name. @default secrets are in the environment only */
  readonly directory?: string;
}

/**
 * The value of a secret by its name: an environment variable of exactly that name, then in upper
 * case with `-` as `_`, then a file of that name without its last line break. Undefined if there is
 * none or it is empty.
 *
 * @throws {@link SecretFileError} for a file that is too large, not a regular file, or unreadable
 */
export function findSecret(name: string, sources: SecretSources): string | undefined {
  const variable = (each: string): string | undefined =>
    Object.hasOwn(sources.env, each) ? sources.env[each] : undefined;
  const value =
    variable(name) || variable(secretVariableName(name)) || readSecretFile(name, sources.directory);
  return value === undefined || value === '' ? undefined : value;
}

function readSecretFile(name: string, directory: string | undefined): string | undefined {
  if (directory === undefined || !/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) return undefined;
  const file = join(directory, name);
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new SecretFileError('is not a file');
    if (stats.size > maxSecretBytes)
      throw new SecretFileError(`is larger than 1 MiB (${stats.size} bytes)`);
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined; // no such file: the caller reports the missing secret
    throw new SecretFileError(
      `cannot be read (${code ?? 'unknown reason'}): check the permissions of the user that the sidecar runs as`,
    );
  }
}

/** The environment variable of a secret: `CODE_HOST_SECRET` for `code-host-secret`. */
export function secretVariableName(name: string): string {
  return name.toUpperCase().replace(/-/g, '_');
}
