import { asObject } from '../json.js';
import type { Json, StoredSecret } from '../store.js';

/** Write-only properties of the public APIs. */
const writeOnly = new Set([
  'accountkey',
  'adminpassword',
  'administratorloginpassword',
  'clientsecret',
  'password',
  'sharedkey',
]);

/** A body's properties, separated from its secret values. */
export interface HiddenValues {
  readonly properties: Json;
  /**
   * `name` is the location of the value: a JSON list of property names, and of names of list
   * entries.
   */
  readonly hidden: readonly StoredSecret[];
}

/**
 * Removes secret values from properties: write-only ones, and the values in lists called `secrets`,
 * whose entries stay with their names.
 *
 * @param additionalNames names of additional write-only properties of the type.
 */
export function hideSecretValues(
  properties: Json,
  additionalNames: readonly string[] = [],
): HiddenValues {
  const hidden: StoredSecret[] = [];
  const visit = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value))
      return value.map((each, index) => visit(each, [...path, entryName(each, index)]));
    const object = asObject(value);
    if (object === undefined) return value;
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(object)) {
      const memberPath = [...path, name];
      if (
        typeof each === 'string' &&
        (writeOnly.has(name.toLowerCase()) ||
          additionalNames.includes(name) ||
          isListedSecret(memberPath))
      )
        hidden.push({ name: JSON.stringify(memberPath), value: each });
      else entries.push([name, visit(each, memberPath)]);
    }
    return Object.fromEntries(entries);
  };
  return { properties: visit(properties, []) as Json, hidden };
}

/** Puts the secret values back at the paths that still exist and have no other value. */
export function restoreSecretValues(properties: Json, hidden: readonly StoredSecret[]): Json {
  const result = structuredClone(properties) as Record<string, unknown>;
  for (const { name, value } of hidden) setIfAbsent(result, JSON.parse(name) as string[], value);
  return result;
}

/** The stored entries of lists called `secrets`: an update may name them without their values. */
export function hiddenValuesOfSecretLists(hidden: readonly StoredSecret[]): StoredSecret[] {
  return hidden.filter(({ name }) => isListedSecret(JSON.parse(name) as string[]));
}

/** The stored entries of lists called `secrets`, in the form that `listSecrets` returns. */
export function listSecretsEntries(hidden: readonly StoredSecret[]): Json[] {
  return hiddenValuesOfSecretLists(hidden).map(({ name, value }) => ({
    name: (JSON.parse(name) as string[]).at(-2),
    value,
  }));
}

function isListedSecret(path: readonly string[]): boolean {
  return path.at(-1) === 'value' && path.at(-3) === 'secrets';
}

function setIfAbsent(node: unknown, [head = '', ...rest]: readonly string[], value: unknown): void {
  if (Array.isArray(node)) {
    setIfAbsent(
      node.find((each, index) => entryName(each, index) === head),
      rest,
      value,
    );
    return;
  }
  const object = asObject(node) as Record<string, unknown> | undefined;
  if (object === undefined) return;
  if (rest.length > 0) setIfAbsent(object[head], rest, value);
  else object[head] ??= value;
}

function entryName(entry: unknown, index: number): string {
  const name = asObject(entry)?.['name'];
  return typeof name === 'string' ? name : String(index);
}
