import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { quote } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { type Finder, isCreatedSince } from '../finders.js';
import { type Api, type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { isTrue, textOrEmpty, optionalText } from '../read-values.js';
import { parseImport, prefixBareId } from './ids.js';

/** A directory object with its own resource type. */
interface ObjectKind<T> {
  /** The collection in its id: `groups` in `/groups/<uuid>`. */
  readonly collection: string;
  /** The client's part for these objects: `groups`. */
  readonly objects: (directory: Api['directory']) => {
    find(id: string, call: { readonly signal: AbortSignal }): Promise<T | undefined>;
    delete(id: string, call: { readonly signal: AbortSignal }): Promise<void>;
  };
  /** Converts the directory's object to attributes, given those in the state. */
  toState(object: T, context: Context, state: ValueMap): Promise<ActualValues> | ActualValues;
}

/** Finds an existing object to adopt: the first match in a listing. */
export async function findListed<T extends { readonly id: string }>(
  collection: string,
  listing: AsyncIterable<T>,
  matches: (object: T) => boolean = () => true,
): Promise<ActualValues | undefined> {
  for await (const object of listing)
    if (matches(object)) return { id: `/${collection}/${object.id}`, object_id: object.id };
  return undefined;
}

/** Finds an existing application to adopt, by its display name. */
export const findApplication: Finder = ({ api, planned, createdSince, signal }) => {
  const filter = `displayName eq ${quote(textOrEmpty(planned, 'display_name'))}`;
  return findListed(
    'applications',
    api.directory.applications.list({ filter, signal }),
    ({ createdDateTime }) => isCreatedSince(createdSince, createdDateTime),
  );
};

/** Refuses a second object of a display name if `prevent_duplicate_names` is set. */
export async function refuseDuplicate(
  noun: string,
  planned: ValueMap,
  list: (query: {
    readonly filter: string;
  }) => AsyncIterable<{ readonly id: string; readonly displayName: string }>,
): Promise<void> {
  const name = optionalText(planned, 'display_name');
  if (!isTrue(planned, 'prevent_duplicate_names') || name === undefined) return;
  for await (const object of list({ filter: `displayName eq ${quote(name)}` }))
    if (object.displayName === name)
      throw new ProviderFailure(
        `existing ${noun} with display name "${name}" found with object ID: ${object.id}`,
        '`prevent_duplicate_names` is true, so no second one is created.',
        ['display_name'],
      );
}

/**
 * The handler of a directory object: reads, deletes and imports it.
 *
 * @param overrides creates and changes it; replaces or adds methods.
 */
export function objectHandler<T>(
  { collection, objects, toState }: ObjectKind<T>,
  overrides: Pick<ResourceHandler, 'create' | 'update'> & Partial<ResourceHandler>,
): ResourceHandler {
  return {
    async read({ state, ...context }) {
      const object = await objects(context.api.directory).find(textOrEmpty(state, 'object_id'), {
        signal: context.signal,
      });
      return object === undefined ? undefined : toState(object, context, state);
    },
    async delete({ api, state, signal }) {
      await undefinedIfNotFound(
        objects(api.directory).delete(textOrEmpty(state, 'object_id'), { signal }),
      );
    },
    import: (id) => ({
      id,
      object_id: parseImport(`/${collection}/{objectId}`, id)['objectId'] ?? '',
    }),
    upgrade: prefixBareId(collection),
    ...overrides,
  };
}
