import { unlessGone } from '../../../clients/common/index.js';
import type { Reported } from '../../planner/settle.js';
import type { ValueMap } from '../../values/value.js';
import type { Api, Context, ResourceHandler } from '../handler.js';
import { mustText } from '../read-values.js';
import { parseImport, prefixBareId } from './ids.js';

/** An object of the directory that is a resource by itself. */
interface ObjectKind<T> {
  /** The collection in its id: `groups` in `/groups/<uuid>`. */
  readonly collection: string;
  readonly objects: (directory: Api['directory']) => {
    find(id: string, call: { readonly signal: AbortSignal }): Promise<T | undefined>;
    delete(id: string, call: { readonly signal: AbortSignal }): Promise<void>;
  };
  /** The attributes of what the directory has, given those that the state has. */
  toState(found: T, context: Context, state: ValueMap): Promise<Reported> | Reported;
}

/** The handler of such a resource: it is read, deleted and imported as every object is; `own` says how it is created and changed. */
export function objectHandler<T>(
  { collection, objects, toState }: ObjectKind<T>,
  own: Pick<ResourceHandler, 'create' | 'update'> & Partial<ResourceHandler>,
): ResourceHandler {
  return {
    async read({ state, ...context }) {
      const found = await objects(context.api.directory).find(mustText(state, 'object_id'), { signal: context.signal });
      return found === undefined ? undefined : toState(found, context, state);
    },
    async delete({ api, state, signal }) {
      await unlessGone(objects(api.directory).delete(mustText(state, 'object_id'), { signal }));
    },
    import: (id) => ({ id, object_id: parseImport(`/${collection}/{objectId}`, id)['objectId'] ?? '' }),
    upgrade: prefixBareId(collection),
    ...own,
  };
}
