import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { makeFolder } from '../../core/source/make-folder.js';
import { replaceFile } from '../../core/source/replace-file.js';
import { isObject } from '../../core/values/is-object.js';

/** The file with the generated secrets of a project's sandbox; only its owner can read it. */
function secretsFile(projectDir: string, environment: string | undefined): string {
  return join(projectDir, environmentFolder(environment), 'stand-in-secrets.json');
}

/**
 * Generates random values for secrets that are not set, so that the sandbox runs without them, and
 * stores them, so that a second `up` changes nothing.
 *
 * @returns `valueOf`, which returns the stored value of a secret or generates and stores one, and the
 *   names that it was called with.
 */
export function secretGenerator(
  projectDir: string,
  environment?: string,
): { readonly valueOf: (name: string) => string; readonly requested: readonly string[] } {
  const file = secretsFile(projectDir, environment);
  const requested: string[] = [];
  return {
    requested,
    valueOf(name) {
      const generated = readGeneratedSecrets(projectDir, environment);
      const stored = Object.hasOwn(generated, name) ? generated[name] : undefined;
      const value = stored ?? `stand-in-${randomBytes(18).toString('base64url')}`;
      if (stored === undefined) writeSecrets(file, { ...generated, [name]: value });
      if (!requested.includes(name)) requested.push(name);
      return value;
    },
  };
}

/**
 * Reads the generated values so far, by the names of the secrets.
 *
 * @throws CAS1001 when the file is damaged.
 */
export function readGeneratedSecrets(
  projectDir: string,
  environment?: string,
): Readonly<Record<string, string>> {
  const file = secretsFile(projectDir, environment);
  if (!existsSync(file)) return {};
  const values = parseSecrets(readFileSync(file, 'utf8'));
  if (values === undefined)
    throw new CastellanError(
      'CAS1001',
      `${file} is not a JSON object of secrets: correct it, or delete it for new values`,
    );
  return values;
}

/** The values by name; undefined for a text that has others. */
function parseSecrets(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return isObject(values) && Object.values(values).every((value) => typeof value === 'string')
      ? (values as Record<string, string>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores secrets of existing apps for a project's sandbox, which would otherwise generate others.
 */
export function storeSecrets(
  projectDir: string,
  secrets: Readonly<Record<string, string>>,
  environment?: string,
): void {
  writeSecrets(secretsFile(projectDir, environment), {
    ...readGeneratedSecrets(projectDir, environment),
    ...secrets,
  });
}

function writeSecrets(file: string, secrets: Readonly<Record<string, string>>): void {
  makeFolder(dirname(file), 0o700);
  replaceFile(file, (draft) =>
    writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 }),
  );
}
