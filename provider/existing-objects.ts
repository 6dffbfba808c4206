import type { Api } from './handlers/handler.js';
import { providerAddresses, type ProviderName, loadProvider } from './providers.js';
import { newStateOf } from './planner/new-state.js';
import { type Json, toJson } from './values/json.js';

/** Reads existing objects as Terraform's state would have them after an import. */
export type ReadExistingObject = (
  type: string,
  id: string,
) => Promise<Readonly<Record<string, Json>> | undefined>;

/**
 * Creates a function that reads objects of the services with the providers' handlers.
 *
 * @returns a function of a resource type and an import id; it returns undefined if nothing has this
 *   id.
 */
export function existingObjectReader(
  api: Api,
  signal: AbortSignal = new AbortController().signal,
): ReadExistingObject {
  const providers = new Map<ProviderName, ReturnType<typeof loadProvider>>();
  return async (type, id) => {
    const name = (Object.keys(providerAddresses) as ProviderName[]).find((each) =>
      type.startsWith(`${each}_`),
    );
    if (name === undefined) throw new Error(`no provider serves ${type}`);
    const provider = providers.get(name) ?? loadProvider(name, () => api);
    providers.set(name, provider);
    const { schema, resources } = await provider;
    const resourceSchema = schema.resources[type];
    const handler = resources[type];
    if (resourceSchema === undefined || handler?.import === undefined)
      throw new Error(`${type} can't be imported`);
    const importedState = newStateOf(resourceSchema, schema.sdk, undefined, handler.import(id));
    const state = await handler.read({
      api,
      providerConfig: {},
      signal,
      warn: () => undefined,
      state: importedState,
    });
    if (state === undefined) return undefined;
    return toJson(newStateOf(resourceSchema, schema.sdk, importedState, state)) as Readonly<
      Record<string, Json>
    >;
  };
}
