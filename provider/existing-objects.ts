import type { Api } from './handlers/handler.js';
import { providerAddresses, type ProviderName, loadProvider } from './providers.js';
import { newStateOf } from './planner/new-state.js';
import { type Json, toJson } from './values/json.js';

/** Reads existing objects as Terraform's state would have them after an import. */
export type ReadExisting = (
  type: string,
  id: string,
) => Promise<Readonly<Record<string, Json>> | undefined>;

/**
 * Reads objects of the services with the providers' handlers.
 *
 * @returns a function of a resource type and an import id; undefined if nothing has this id.
 */
export function readExisting(
  api: Api,
  signal: AbortSignal = new AbortController().signal,
): ReadExisting {
  const loaded = new Map<ProviderName, ReturnType<typeof loadProvider>>();
  return async (type, id) => {
    const name = (Object.keys(providerAddresses) as ProviderName[]).find((each) =>
      type.startsWith(`${each}_`),
    );
    if (name === undefined) throw new Error(`no provider serves ${type}`);
    if (!loaded.has(name))
      loaded.set(
        name,
        loadProvider(name, () => api),
      );
    const { schema, resources } = await (loaded.get(name) as ReturnType<typeof loadProvider>);
    const [body, handler] = [schema.resources[type], resources[type]];
    if (body === undefined || handler?.import === undefined)
      throw new Error(`${type} can't be imported`);
    const start = newStateOf(body, schema.sdk, undefined, handler.import(id));
    const state = await handler.read({
      api,
      provider: {},
      signal,
      warn: () => undefined,
      state: start,
    });
    if (state === undefined) return undefined;
    return toJson(newStateOf(body, schema.sdk, start, state)) as Readonly<Record<string, Json>>;
  };
}
