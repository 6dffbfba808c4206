import { randomUUID } from 'node:crypto';
import type { Resource } from '../../../../clients/resource-manager/index.js';
import type { ActualValues } from '../../../planner/new-state.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import { isOperations } from '../../../schemas/official-schema.js';
import type { ValueMap } from '../../../values/value.js';
import { flattenFields } from '../../body-fields.js';
import type { Context, DataSourceHandler, ResourceHandler } from '../../handler.js';
import { text } from '../../read-values.js';
import { refuseExisting } from '../azurerm-resource.js';
import { importState, pathOf, idOf } from './address.js';
import { type Body, patchOf, resourceBody, type Written } from './body.js';
import { writeDocument } from './documents.js';
import { placedFields } from './placed-fields.js';
import { stateOf } from './state.js';
import type { Sources } from './template.js';

/** What a type does beyond its data. */
export interface TypeBehavior {
  /** Changes the body of a request. */
  body?(body: Body, written: Written): Promise<Body> | Body;
  /** Changes an answer before its attributes are read. */
  answer?(answer: Resource): Resource;
  /** Attributes that take more requests. */
  state?(answer: Resource, call: Context): Promise<ActualValues> | ActualValues;
  /** Completes the state of an import, which has little more than the id. */
  imported?(state: ValueMap, call: Context): Promise<ValueMap> | ValueMap;
  /** The state of an import, where the id does not contain the attributes. */
  import?: NonNullable<ResourceHandler['import']>;
}

/** The handlers of a type that its data describes: its attributes, and where the body has them. */
export function mappedResource(
  name: string,
  type: MappedType,
  beyond: TypeBehavior = {},
): { readonly resource: ResourceHandler; readonly data: DataSourceHandler } {
  const fields = placedFields(type);
  const { apiVersion, part } = type.arm;

  const bodyOf = async (written: Written): Promise<Body> => {
    const body = await resourceBody(type, fields.own, written);
    return (await beyond.body?.(body, written)) ?? body;
  };
  const read = async (
    raw: Resource,
    sources: Sources & { readonly path: string },
  ): Promise<ActualValues> => {
    const answer = beyond.answer?.(raw) ?? raw;
    const state = await stateOf(type, fields, answer, sources);
    return { ...state, ...(await beyond.state?.(answer, sources)) };
  };
  /** Whether the resource has what this part of it declares. */
  const hasPart = (answer: Resource | undefined): boolean =>
    Object.values(flattenFields(fields.own, answer)).some(
      (value) => value !== null && !(Array.isArray(value) && value.length === 0),
    );

  const resource: ResourceHandler = {
    async create({ planned, config, created, ...context }) {
      const values = withGenerated(type, planned);
      const path = await pathOf(type, values, context);
      const { resources } = context.api.resourceManager;
      const call = { signal: context.signal };
      const existing = await resources.find(path, apiVersion, call);
      if (part !== true || hasPart(existing)) refuseExisting(existing, path, name);
      const written = { ...context, values, config, path };
      const body = await bodyOf(written);
      const answer = await resources[part === true ? 'patch' : 'put'](path, apiVersion, body, call);
      created({ ...values, id: await idOf(type, { ...written, answer }) });
      for (const each of fields.documents) await writeDocument(type, each, written);
      return read(answer, written);
    },
    async read({ state, ...context }) {
      const values = { ...state, ...(await beyond.imported?.(state, context)) };
      const path = await pathOf(type, values, context);
      const { resources } = context.api.resourceManager;
      const answer = await resources.find(path, apiVersion, { signal: context.signal });
      if (answer === undefined || (part === true && !hasPart(answer))) return undefined;
      return { ...values, ...(await read(answer, { ...context, values, path })) };
    },
    async update({ planned, prior, config, ...context }) {
      const path = await pathOf(type, prior, context);
      const before = { ...context, values: prior, config, path };
      const after = { ...before, values: planned };
      const body = await bodyOf(after);
      const patch = patchOf(await bodyOf(before), body);
      // tags are replaced, not merged
      if ('tags' in body) patch['tags'] = body['tags'];
      const { resources } = context.api.resourceManager;
      const answer = await resources.patch(path, apiVersion, patch, { signal: context.signal });
      for (const each of fields.documents) await writeDocument(type, each, after, before);
      return read(answer, after);
    },
    async delete({ state, ...context }) {
      const path = await pathOf(type, state, context);
      const { resources } = context.api.resourceManager;
      const call = { signal: context.signal };
      if (part !== true) return resources.delete(path, apiVersion, call);
      if ((await resources.find(path, apiVersion, call)) === undefined) return;
      const body = await bodyOf({ ...context, values: state, config: state, path });
      await resources.patch(path, apiVersion, patchOf(body, { properties: {} }), call);
    },
    import: beyond.import ?? ((id) => importState(type, id)),
  };
  const data: DataSourceHandler = async ({ config, ...context }) => {
    const path = await pathOf(type, config, context);
    const { resources } = context.api.resourceManager;
    const answer = await resources.get(path, apiVersion, { signal: context.signal });
    return read(answer, { ...context, values: config, path });
  };
  return { resource, data };
}

/** The planned values with GUIDs for names that nobody configured. */
function withGenerated({ attributes }: MappedType, planned: ValueMap): ValueMap {
  const names = Object.entries(attributes)
    .filter(([name, data]) => !isOperations(data) && data.generated && !text(planned, name))
    .map(([name]) => [name, randomUUID()] as const);
  return { ...planned, ...Object.fromEntries(names) };
}
