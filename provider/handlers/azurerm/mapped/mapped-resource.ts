import { derivedId } from '../../../../core/values/derived-id.js';
import type { Resource } from '../../../../clients/resource-manager/index.js';
import type { ActualValues } from '../../../planner/new-state.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import { isTimeoutsEntry } from '../../../schemas/official-schema.js';
import { isWhollyKnown, type ValueMap } from '../../../values/value.js';
import { flattenFields } from '../../body-fields.js';
import { mayBeCreatedSince } from '../../finders.js';
import {
  type Context,
  type DataSourceHandler,
  ProviderFailure,
  type ResourceHandler,
} from '../../handler.js';
import { optionalText } from '../../read-values.js';
import { refuseExisting } from '../azurerm-resource.js';
import { importedState, resourcePath, stateId } from './address.js';
import { type Body, createMergePatch, resourceBody, type WriteInput } from './body.js';
import { writeChildDocument } from './child-documents.js';
import { placedFields } from './placed-fields.js';
import { readState } from './state.js';
import type { TemplateSources } from './template.js';

/** What a type does that its data cannot describe. */
export interface TypeBehavior {
  /** Changes the body of a request. */
  changeBody?(body: Body, input: WriteInput): Promise<Body> | Body;
  /** Changes an answer before its attributes are read. */
  changeAnswer?(answer: Resource): Resource;
  /** Reads attributes that need more requests. */
  readExtraAttributes?(answer: Resource, call: Context): Promise<ActualValues> | ActualValues;
  /** Returns attributes that an import lacks: its state has little more than the id. */
  completeImport?(state: ValueMap, call: Context): Promise<ValueMap> | ValueMap;
  /** The state of an import, where the id does not contain the attributes. */
  import?: NonNullable<ResourceHandler['import']>;
}

/** The handlers of a type that its data describes: its attributes, and where the body has them. */
export function mappedResource(
  name: string,
  type: MappedType,
  behavior: TypeBehavior = {},
): { readonly resource: ResourceHandler; readonly data: DataSourceHandler } {
  const fields = placedFields(type);
  const { apiVersion, part } = type.arm;

  const buildBody = async (input: WriteInput): Promise<Body> => {
    const body = await resourceBody(type, fields.ownFields, input);
    return (await behavior.changeBody?.(body, input)) ?? body;
  };
  const read = async (
    raw: Resource,
    sources: TemplateSources & { readonly path: string },
  ): Promise<ActualValues> => {
    const answer = behavior.changeAnswer?.(raw) ?? raw;
    const state = await readState(type, fields, answer, sources);
    return { ...state, ...(await behavior.readExtraAttributes?.(answer, sources)) };
  };
  /** Whether the resource has what this part of it declares. */
  const hasPart = (answer: Resource | undefined): boolean =>
    Object.values(flattenFields(fields.ownFields, answer)).some(
      (value) => value !== null && !(Array.isArray(value) && value.length === 0),
    );

  const resource: ResourceHandler = {
    async create({ planned, config, reportCreated, ...context }) {
      const generated = generatedNames(name, type, planned);
      const values = { ...planned, ...generated };
      const path = await resourcePath(type, values, context);
      const { resources } = context.api.resourceManager;
      const options = { signal: context.signal };
      const existing = await resources.find(path, apiVersion, options);
      if (part !== true || hasPart(existing)) refuseExisting(existing, path, name);
      const input = { ...context, values, config, path };
      const body = await buildBody(input);
      const answer = await resources[part === true ? 'patch' : 'put'](
        path,
        apiVersion,
        body,
        options,
      );
      reportCreated({ ...values, id: await stateId(type, { ...input, answer }) });
      for (const each of fields.childDocuments) await writeChildDocument(type, each, input);
      return { ...generated, ...(await read(answer, input)) };
    },
    async findExisting({ planned, createdSince, ...context }) {
      const values = { ...planned, ...generatedNames(name, type, planned) };
      const path = await resourcePath(type, values, context).catch(ignoreFailure);
      if (path === undefined) return undefined;
      const { resources } = context.api.resourceManager;
      const answer = await resources.find(path, apiVersion, { signal: context.signal });
      // a part is in a resource that may be older
      const mayBeCreatedByRun =
        part === true ? hasPart(answer) : mayBeCreatedSince(createdSince, answer);
      if (answer === undefined || !mayBeCreatedByRun) return undefined;
      return { id: await stateId(type, { ...context, values, path, answer }) };
    },
    async read({ state, ...context }) {
      const values = { ...state, ...(await behavior.completeImport?.(state, context)) };
      const path = await resourcePath(type, values, context);
      const { resources } = context.api.resourceManager;
      const answer = await resources.find(path, apiVersion, { signal: context.signal });
      if (answer === undefined || (part === true && !hasPart(answer))) return undefined;
      return { ...values, ...(await read(answer, { ...context, values, path })) };
    },
    async update({ planned, prior, config, ...context }) {
      const path = await resourcePath(type, prior, context);
      const before = { ...context, values: prior, config, path };
      const after = { ...before, values: planned };
      const body = await buildBody(after);
      const patch = createMergePatch(await buildBody(before), body);
      // tags are replaced, not merged
      if ('tags' in body) patch['tags'] = body['tags'];
      const { resources } = context.api.resourceManager;
      const answer = await resources.patch(path, apiVersion, patch, { signal: context.signal });
      for (const each of fields.childDocuments) await writeChildDocument(type, each, after, before);
      return read(answer, after);
    },
    async delete({ state, ...context }) {
      const path = await resourcePath(type, state, context);
      const { resources } = context.api.resourceManager;
      const options = { signal: context.signal };
      if (part !== true) return resources.delete(path, apiVersion, options);
      if ((await resources.find(path, apiVersion, options)) === undefined) return;
      const body = await buildBody({ ...context, values: state, config: state, path });
      await resources.patch(path, apiVersion, createMergePatch(body, { properties: {} }), options);
    },
    import: behavior.import ?? ((id) => importedState(type, id)),
  };
  const data: DataSourceHandler = async ({ config, ...context }) => {
    const path = await resourcePath(type, config, context);
    const { resources } = context.api.resourceManager;
    const answer = await resources.get(path, apiVersion, { signal: context.signal });
    return read(answer, { ...context, values: config, path });
  };
  return { resource, data };
}

function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof ProviderFailure)) throw error;
}

/**
 * GUIDs for names that are not configured. They are derived from the planned values, so that a
 * creation that was killed is found by its name.
 */
function generatedNames(
  typeName: string,
  { attributes }: MappedType,
  planned: ValueMap,
): Readonly<Record<string, string>> {
  const knownValues = Object.entries(planned).filter(([, value]) => isWhollyKnown(value));
  const names = Object.entries(attributes)
    .filter(
      ([name, data]) => !isTimeoutsEntry(data) && data.generated && !optionalText(planned, name),
    )
    .map(([name]) => [name, derivedId(JSON.stringify([typeName, name, knownValues]))] as const);
  return Object.fromEntries(names);
}
