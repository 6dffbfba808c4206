import { isServiceError } from '../../clients/common/index.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import type { Context, CreateCall, FindCall, ResourceHandler } from '../handlers/handler.js';
import { type ActualValues, newStateOf } from '../planner/new-state.js';
import { typeOfBody } from '../schemas/schema-builders.js';
import type { ResourceSchema, ProviderSdk } from '../schemas/schema.js';
import { encodeMessagePack } from '../values/message-pack.js';
import { isWhollyKnown, type ValueMap } from '../values/value.js';
import {
  type Adoption,
  type CreationJournal,
  creationKey,
  type OpenCreation,
} from './creation-journal.js';
import { withoutSecrets } from './secrets.js';

/** A creation requested by Terraform. */
export interface Creation {
  readonly schema: ResourceSchema;
  readonly sdk: ProviderSdk;
  readonly typeName: string;
  readonly handler: ResourceHandler;
  readonly context: Context;
  readonly planned: ValueMap;
  readonly config: ValueMap;
  readonly reportCreated: CreateCall['reportCreated'];
}

/**
 * Creates an object, or adopts the one that a killed run of the same plan created: nothing is
 * created twice, and no created object is forgotten.
 *
 * @returns the new state.
 */
export async function createOnce(
  creation: Creation,
  journal: CreationJournal | undefined,
): Promise<ValueMap> {
  const { schema, sdk, typeName, handler, context, planned, config } = creation;
  if (journal === undefined)
    return newStateOf(
      schema,
      sdk,
      planned,
      await handler.create({ ...context, planned, config, reportCreated: creation.reportCreated }),
    );
  if (journal.adoption !== undefined) {
    const existing = await adoptUnchanged(creation, journal, journal.adoption);
    if (existing !== undefined) return existing;
    if (journal.adoption.missing === 'refused')
      throw new CastellanError('CAS8206', `${typeName} ${quotedName(planned)}`);
  }
  const key = creationKey(
    typeName,
    encodeMessagePack(withoutSecrets(schema, planned), typeOfBody(schema)),
  );
  const unfinished = journal.adoption === undefined ? await journal.takeUnfinished(key) : undefined;
  const resumed =
    unfinished === undefined
      ? undefined
      : await resumeCreation(creation, journal, unfinished.creation);
  if (unfinished !== undefined && resumed !== undefined) {
    await journal.recordIdentity(unfinished.id, identifyingValues(schema, resumed));
    return resumed;
  }
  if (unfinished !== undefined) await journal.close(unfinished.id);
  const id = await journal.begin(key, typeName, new Date());
  let createdValues: ActualValues | undefined;
  try {
    const reportCreated = (state: ActualValues): void => {
      createdValues = state;
      creation.reportCreated(state);
    };
    const state = newStateOf(
      schema,
      sdk,
      planned,
      await handler.create({ ...context, planned, config, reportCreated }),
    );
    await journal.recordIdentity(id, identifyingValues(schema, state));
    return state;
  } catch (error) {
    // A half-created object is in Terraform's state as tainted. After a refusal there is none.
    // Without an answer, the next run looks for it.
    if (createdValues === undefined) {
      if (!mayHaveCreated(error, context.signal)) await journal.close(id);
    } else
      await journal.recordIdentity(
        id,
        identifyingValues(schema, newStateOf(schema, sdk, planned, createdValues)),
      );
    throw error;
  }
}

function quotedName(planned: ValueMap): string {
  const name = planned['display_name'] ?? planned['name'];
  return typeof name === 'string' ? JSON.stringify(name) : '';
}

/**
 * The state of an existing object, which is not changed; undefined if there is none, or its secret
 * is unknown.
 */
async function adoptUnchanged(
  creation: Creation,
  journal: CreationJournal,
  { secrets }: Adoption,
): Promise<ValueMap | undefined> {
  const { schema, sdk, handler, context, planned } = creation;
  const foundState = await claimExisting(creation, journal, {
    createdSince: new Date(0),
    isTaken: (id) => journal.isAdopted(id),
  });
  if (foundState === undefined) return undefined;
  const currentValues = await handler.read({
    ...context,
    state: newStateOf(schema, sdk, planned, foundState),
  });
  const state = { ...foundState, ...currentValues, ...secrets[String(foundState['id'])] };
  if (currentValues === undefined || lacksGeneratedSecret(schema, state)) return undefined;
  return newStateOf(schema, sdk, planned, state);
}

/**
 * An existing object for a planned one; from then on no other resource of the run gets it: two of
 * one name are two objects.
 */
async function claimExisting(
  { handler, context, planned }: Creation,
  journal: CreationJournal,
  search: Pick<FindCall, 'createdSince' | 'isTaken'>,
): Promise<ActualValues | undefined> {
  const triedIds = new Set<string>();
  for (;;) {
    const found = await handler.findExisting?.({ ...context, ...search, planned });
    const id = found?.['id'];
    if (typeof id !== 'string') return found;
    if (!search.isTaken(id) && journal.adoptOnce(id)) return found;
    // another resource took it during the search, or the handler knows no other of this name
    if (triedIds.has(id)) return undefined;
    triedIds.add(id);
  }
}

/**
 * Whether a service may have created an object without acknowledging it: it failed, the connection
 * broke, it did not answer in time, or the run was interrupted while it worked.
 */
function mayHaveCreated(error: unknown, { aborted }: AbortSignal): boolean {
  if (isServiceError(error)) return error.status >= 500;
  const isUnanswered =
    isCastellanError(error) && (error.code === 'CAS5002' || error.code === 'CAS5003');
  return isUnanswered || aborted;
}

/**
 * The state of the object that a killed run created, updated to the plan; undefined if there is
 * none. One that cannot be adopted is deleted: only its creation returned its secrets, or it cannot
 * be updated. An object that was only found by its name may be older than the run: one that cannot
 * be updated stays.
 */
async function resumeCreation(
  creation: Creation,
  journal: CreationJournal,
  unfinished: OpenCreation,
): Promise<ValueMap | undefined> {
  const { schema, sdk, handler, context, planned, config } = creation;
  const foundState =
    unfinished.identity === undefined
      ? await claimExisting(creation, journal, {
          createdSince: new Date(unfinished.begunAt),
          isTaken: (id) => journal.isAdopted(id) || journal.hasCreated(id),
        })
      : unfinished.identity;
  if (foundState === undefined) return undefined;
  const state = newStateOf(schema, sdk, planned, foundState);
  const currentValues = await handler.read({ ...context, state });
  if (currentValues === undefined) return undefined;
  const prior = newStateOf(schema, sdk, state, currentValues);
  if (lacksGeneratedSecret(schema, currentValues)) {
    await handler.delete({ ...context, state: prior });
    return undefined;
  }
  if (handler.update === undefined) return newStateOf(schema, sdk, planned, currentValues);
  try {
    const updated = await handler.update({
      ...context,
      prior,
      planned: fillUnknowns(planned, prior),
      config,
    });
    return newStateOf(schema, sdk, planned, { ...currentValues, ...updated });
  } catch {
    // an object that cannot be changed to its plan is created again: nothing refers to it yet
    if (unfinished.identity !== undefined) await handler.delete({ ...context, state: prior });
    return undefined;
  }
}

/** The plan of an update: unknown values of the planned creation become the service's values. */
function fillUnknowns(planned: ValueMap, prior: ValueMap): ValueMap {
  return Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [
      name,
      isWhollyKnown(value) ? value : (prior[name] ?? null),
    ]),
  );
}

/**
 * Whether an attribute is unknown that the service generated and returned only at creation, such as
 * a password.
 */
function lacksGeneratedSecret({ attributes }: ResourceSchema, values: ActualValues): boolean {
  return Object.entries(attributes).some(
    ([name, { sensitive, computed, optional }]) =>
      sensitive && computed && !optional && values[name] === undefined,
  );
}

/**
 * The identifying values of an object: the texts of its state that are not secret. Other values are
 * in the plan, or can be read again.
 */
function identifyingValues(
  schema: ResourceSchema,
  state: ValueMap,
): Readonly<Record<string, string>> {
  const textEntries = Object.entries(state).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(
    textEntries.filter(([name]) => schema.attributes[name]?.sensitive !== true),
  );
}
