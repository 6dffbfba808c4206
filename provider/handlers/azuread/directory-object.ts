import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { type Application, quote } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { type Finder, isCreatedSince } from '../finders.js';
import {
  type Api,
  type Context,
  type FindCall,
  ProviderFailure,
  type ResourceHandler,
} from '../handler.js';
import { differsIn, isTrue, textOrEmpty, optionalText } from '../read-values.js';
import { parseImport, prefixBareId } from './ids.js';
import { collectAll } from './listing.js';

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

/**
 * Finds an existing object to adopt in a listing: of several that match, the one whose attributes
 * are most like the planned ones.
 */
export async function findBestMatch<T extends { readonly id: string }>(
  collection: string,
  listing: AsyncIterable<T>,
  { planned, isTaken }: FindCall,
  options: {
    readonly matches?: (object: T) => boolean;
    readonly toState?: (object: T) => Promise<ActualValues> | ActualValues;
  } = {},
): Promise<ActualValues | undefined> {
  const { matches = () => true, toState } = options;
  const candidates = (await collectAll(listing))
    .filter((each) => matches(each))
    .map((object) => ({ object, id: `/${collection}/${object.id}` }))
    .filter(({ id }) => !isTaken(id));
  let [best] = candidates;
  if (candidates.length > 1 && toState !== undefined) {
    let highestCount = -1;
    for (const each of candidates) {
      const count = countEqualAttributes(planned, await toState(each.object));
      if (count > highestCount) [best, highestCount] = [each, count];
    }
  }
  return best === undefined ? undefined : { id: best.id, object_id: best.object.id };
}

/** The number of planned attributes that an object has already. */
function countEqualAttributes(planned: ValueMap, actual: ActualValues): number {
  const names = Object.keys(planned);
  return names.filter((name) => !differsIn(planned, { [name]: actual[name] ?? null }, name)).length;
}

/** Finds an existing application to adopt, by its display name. */
export const applicationFinder =
  (
    toState: (application: Application, call: FindCall) => Promise<ActualValues> | ActualValues,
  ): Finder =>
  (call) => {
    const { api, planned, createdSince, signal } = call;
    const filter = `displayName eq ${quote(textOrEmpty(planned, 'display_name'))}`;
    return findBestMatch(
      'applications',
      api.directory.applications.list({ filter, signal }),
      call,
      {
        matches: ({ createdDateTime }) => isCreatedSince(createdSince, createdDateTime),
        toState: (each) => toState(each, call),
      },
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
