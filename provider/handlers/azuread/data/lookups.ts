import { createHash } from 'node:crypto';
import { quote } from '../../../../clients/directory/index.js';
import type { ValueMap } from '../../../values/value.js';
import { ProviderFailure } from '../../handler.js';
import { isTrue, optionalText, textList } from '../../read-values.js';

/** The lookup attributes: the name of each in messages, and its filter. */
export type LookupKeys = Readonly<
  Record<string, readonly [label: string, filter: (value: string) => string]>
>;

interface Search<T> {
  readonly objects: {
    find(id: string, call: { readonly signal: AbortSignal }): Promise<T | undefined>;
    list(call: { readonly filter: string; readonly signal: AbortSignal }): AsyncIterable<T>;
  };
  /** The singular of the objects, as it begins messages: `Service principal`. */
  readonly noun: string;
  /** The lookup attributes besides `object_id`, by name; the first configured one is used. */
  readonly keys: LookupKeys;
  /** A condition beyond the filter. @default none */
  readonly matches?: (object: T) => boolean;
  readonly signal: AbortSignal;
}

/** The object with the configured object id, or the only one that another key matches. */
export async function findOne<T>(
  config: ValueMap,
  { objects, noun, keys, matches, signal }: Search<T>,
): Promise<T> {
  const objectId = optionalText(config, 'object_id');
  if (objectId !== undefined) {
    const object = await objects.find(objectId, { signal });
    if (object === undefined)
      throw new ProviderFailure(`${noun} with object ID "${objectId}" was not found`);
    return object;
  }
  for (const [attribute, [label, filter]] of Object.entries(keys)) {
    const value = optionalText(config, attribute);
    if (value !== undefined)
      return requireSingle(
        objects.list({ filter: filter(value), signal }),
        `${noun} with ${label} "${value}"`,
        matches,
      );
  }
  throw new ProviderFailure(
    `One of ${['object_id', ...Object.keys(keys)].map((name) => `\`${name}\``).join(', ')} must be specified`,
  );
}

/** The only object in a listing; none or several is a failure in the official provider's words. */
export async function requireSingle<T>(
  listing: AsyncIterable<T>,
  description: string,
  matches: (object: T) => boolean = () => true,
): Promise<T> {
  const items: T[] = [];
  for await (const each of listing) if (matches(each)) items.push(each);
  const [first] = items;
  if (first === undefined) throw new ProviderFailure(`${description} was not found`);
  if (items.length > 1)
    throw new ProviderFailure(
      `More than one object matches: ${description} was found ${items.length} times`,
    );
  return first;
}

/** How to look up a list of keys: the key's name in messages, and the objects that match a key. */
type Lookup<T> = readonly [
  label: string,
  find: (value: string) => Promise<readonly (T | undefined)[]>,
];

/**
 * Finds one object for each key in the lists of a data source.
 *
 * @param missingMessage the message for an unknown key, unless `ignore_missing` is set.
 */
export async function findEach<T>(
  config: ValueMap,
  noun: string,
  lookups: Readonly<Record<string, Lookup<T>>>,
  missingMessage = (label: string, value: string): string =>
    `No ${noun} found with ${label}: "${value}"`,
): Promise<T[]> {
  const objects: T[] = [];
  for (const [list, [label, find]] of Object.entries(lookups))
    for (const value of textList(config, list)) {
      const result = (await find(value)).filter((each) => each !== undefined);
      if (result.length === 0 && !isTrue(config, 'ignore_missing'))
        throw new ProviderFailure(missingMessage(label, value));
      if (result.length > 1)
        throw new ProviderFailure(`More than one ${noun} found with ${label}: "${value}"`);
      objects.push(...result);
    }
  return objects;
}

/** A `$filter` for one property. */
export function equalsFilter(property: string): (value: string) => string {
  return (value) => `${property} eq ${quote(value)}`;
}

/** An id for the list in a data source: the same as long as its values and their order are. */
export function listId(prefix: string, values: readonly string[]): string {
  return `${prefix}#${createHash('sha1').update(values.join('-')).digest('base64url')}`;
}
