import { staticToken } from '../../../clients/common/index.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import { createDirectoryClient } from '../../../clients/directory/index.js';
import { createItemsClient } from '../../../clients/items/index.js';
import { createResourceManagerClient } from '../../../clients/resource-manager/index.js';
import { identityFromToken } from '../../../provider/connection.js';
import { providerAddresses, type ProviderName } from '../../../provider/index.js';
import type {
  Api,
  Context,
  DataSourceHandler,
  ResourceHandler,
} from '../../../provider/handlers/handler.js';
import { fieldsOf } from '../../../provider/planner/schema-fields.js';
import { planChange, PlannedChange } from '../../../provider/planner/plan.js';
import { newStateOf } from '../../../provider/planner/new-state.js';
import { validateConfig } from '../../../provider/planner/validate.js';
import { loadProvider } from '../../../provider/providers.js';
import type { Body, ResourceSchema, ProviderSdk } from '../../../provider/schemas/schema.js';
import {
  type TypeExpression,
  Dynamic,
  isList,
  isMap,
  isUnknown,
  unknown,
  type Value,
  type ValueMap,
} from '../../../provider/values/value.js';
import { fromJson, type Json } from '../../../provider/values/json.js';
import { subscriptionId, tenantId, testToken } from '../../provider/support/control-plane.js';
import type { startServices } from './services.js';

/** The resources of a synthesized stack: by type and name, their attributes. */
export type Blocks = Readonly<Record<string, Readonly<Record<string, Attributes>>>>;
type Attributes = Readonly<Record<string, Json>>;

interface Served {
  readonly schema: ResourceSchema;
  readonly style: ProviderSdk;
  readonly handler: ResourceHandler;
}

interface Applied {
  readonly json: string;
  readonly served: Served;
  readonly state: ValueMap;
  readonly needs: readonly string[];
}

/**
 * What Terraform does with a stack, in this process: our provider validates, plans and applies, and
 * the services decide.
 */
export class SmallTerraform {
  readonly #applied = new Map<string, Applied>();

  private constructor(
    private readonly types: ReadonlyMap<string, Served>,
    private readonly dataSources: ReadonlyMap<string, DataSourceHandler>,
    private readonly context: Context,
    private readonly folder: string,
  ) {}

  static async at({
    fetch,
    folder,
  }: Awaited<ReturnType<typeof startServices>>): Promise<SmallTerraform> {
    const credential = staticToken(testToken());
    const shared = { baseUrl: 'http://services.test', credential, fetch };
    const api: Api = {
      directory: createDirectoryClient({ ...shared, dialect: 'azure' }),
      items: createItemsClient({ ...shared, dialect: 'azure' }),
      resourceManager: createResourceManagerClient(shared),
      identity: identityFromToken({ tenantId, subscriptionId, credential, scope: '' }),
    };
    const names = Object.keys(providerAddresses) as ProviderName[];
    const providers = await Promise.all(names.map((name) => loadProvider(name, () => api)));
    const types = providers.flatMap(({ schema: { resources, sdk: style }, resources: handlers }) =>
      Object.entries(resources).flatMap(([type, schema]) => {
        const handler = handlers[type];
        return handler === undefined ? [] : [[type, { schema, style, handler }] as const];
      }),
    );
    const dataSources = providers.flatMap((provider) => Object.entries(provider.dataSources));
    const context: Context = {
      api,
      provider: {},
      signal: new AbortController().signal,
      warn: () => undefined,
    };
    return new SmallTerraform(new Map(types), new Map(dataSources), context, folder);
  }

  /** What the providers refuse before anything is asked of a service. */
  validate(blocks: Blocks): readonly string[] {
    return addressesOf(blocks).flatMap(({ type, attributes }) => {
      const { schema, style } = this.#served(type);
      const config = decode(schema, attributes, this.#given);
      const findings = validateConfig(schema, style, config).filter(
        ({ severity }) => severity === 'error',
      );
      return findings.map(({ summary, detail = '' }) => `${type}: ${summary} ${detail}`);
    });
  }

  /** The resources as a plan that creates them shows them. */
  async plan(blocks: Blocks): Promise<readonly PlannedResource[]> {
    return await Promise.all(
      addressesOf(blocks).map(
        async ({ address, type, name, attributes }): Promise<PlannedResource> => {
          const { schema, style, handler } = this.#served(type);
          const config = decode(schema, attributes, this.#given);
          const change = new PlannedChange(
            style,
            config,
            undefined,
            planChange(schema, style, { config }).planned,
            [],
          );
          await handler.plan?.({ ...this.context, change });
          return {
            address,
            mode: 'managed',
            type,
            name,
            providerName: '',
            actions: ['create'],
            before: null,
            replacePaths: [],
            after: known(change.planned),
            afterUnknown: unknownShape(change.planned),
          };
        },
      ),
    );
  }

  /**
   * Brings the services to a stack: what differs from the stack before is removed and created
   * again.
   *
   * @returns what was refused, if anything was.
   */
  async apply({
    resource,
    data,
  }: {
    readonly resource: Blocks;
    readonly data: Blocks;
  }): Promise<string | undefined> {
    const wanted = new Map(addressesOf(resource).map((each) => [each.address, each]));
    await this.#removeAllBut(
      (address, json) => JSON.stringify(wanted.get(address)?.attributes) === json,
    );
    const waiting = new Map([...wanted].filter(([address]) => !this.#applied.has(address)));
    while (waiting.size > 0) {
      const before = waiting.size;
      for (const [address, { type, attributes }] of waiting) {
        const needs = [...JSON.stringify(attributes).matchAll(/\$\{([a-z_]+\.[\w-]+)\./g)].map(
          ([, each = '']) => each,
        );
        if (needs.some((each) => waiting.has(each))) continue;
        waiting.delete(address);
        const refused = await this.#create(address, type, attributes, { data, needs });
        if (refused !== undefined) return refused;
      }
      if (waiting.size === before)
        throw new Error(`no order for ${[...waiting.keys()].join(', ')}`);
    }
    return undefined;
  }

  async #create(
    address: string,
    type: string,
    attributes: Attributes,
    { data, needs }: { readonly data: Blocks; readonly needs: readonly string[] },
  ): Promise<string | undefined> {
    const served = this.#served(type);
    const { schema, style, handler } = served;
    const found = new Map<string, Value | undefined>();
    for (const [, expression = ''] of JSON.stringify(attributes).matchAll(
      /\$\{([a-z_]+\.[^}]*)\}/g,
    ))
      found.set(expression, await this.#valueOf(expression, data));
    const config = decode(schema, attributes, (expression) => found.get(expression));
    const change = new PlannedChange(
      style,
      config,
      undefined,
      planChange(schema, style, { config }).planned,
      [],
    );
    const json = JSON.stringify(attributes);
    const keep = (reported: Parameters<typeof newStateOf>[3]): void =>
      void this.#applied.set(address, {
        json,
        served,
        needs,
        state: newStateOf(schema, style, change.planned, reported),
      });
    try {
      await handler.plan?.({ ...this.context, change });
      keep(
        await handler.create({
          ...this.context,
          planned: change.planned,
          config,
          reportCreated: keep,
        }),
      );
      return undefined;
    } catch (error) {
      return `${address}: ${(error as Error).message} ${(error as { detail?: string }).detail ?? ''}`;
    }
  }

  /**
   * Removes what another stack declares in another way, the parts of the same thing and what needs
   * it, the newest first.
   */
  async #removeAllBut(stays: (address: string, json: string) => boolean): Promise<void> {
    const nameOf = (address: string): string => address.split('.')[1] ?? '';
    const changed = [...this.#applied]
      .filter(([address, { json }]) => !stays(address, json))
      .map(([address]) => address);
    const names = new Set(changed.map(nameOf));
    const gone = new Set<string>();
    for (const [address, { needs }] of this.#applied)
      if (names.has(nameOf(address)) || needs.some((each) => gone.has(each))) gone.add(address);
    for (const address of [...gone].reverse()) {
      const { served, state } = this.#applied.get(address) as Applied;
      await served.handler.delete({ ...this.context, state });
      this.#applied.delete(address);
    }
  }

  async #valueOf(expression: string, data: Blocks): Promise<Value | undefined> {
    const [first, second = '', third = '', fourth = ''] = expression.split('.');
    const given = this.#given(expression);
    if (given !== undefined) return given;
    if (first !== 'data') return this.#applied.get(`${first}.${second}`)?.state[third];
    const read = await this.dataSources.get(second)?.({
      ...this.context,
      config: (data[second]?.[third] ?? {}) as ValueMap,
    });
    return read?.[fourth];
  }

  /** What Terraform knows without any service: variables, and the folder of the stack. */
  readonly #given: Find = (expression) => {
    if (expression === 'path.module') return this.folder;
    return expression.startsWith('var.') ? `value of ${expression}` : undefined;
  };

  #served(type: string): Served {
    const served = this.types.get(type);
    if (served === undefined) throw new Error(`our provider doesn't serve ${type}`);
    return served;
  }
}

function addressesOf(blocks: Blocks) {
  return Object.entries(blocks).flatMap(([type, byName]) =>
    Object.entries(byName).map(([name, attributes]) => ({
      address: `${type}.${name}`,
      type,
      name,
      attributes,
    })),
  );
}

type Find = (expression: string) => Value | undefined;

/**
 * The configuration of a resource as Terraform gives it to a provider: references are their values,
 * or unknown.
 */
function decode(body: Body, attributes: Attributes, find: Find): ValueMap {
  return Object.fromEntries(
    fieldsOf(body).map(({ name, type, attribute, nested: inside }): [string, Value] => {
      const given = attributes[name];
      if (given === undefined || given === null)
        return [
          name,
          inside !== undefined && inside.nesting !== 'single' && attribute === undefined
            ? []
            : null,
        ];
      if (inside === undefined) return [name, valueOf(given, type, find)];
      const { nesting, body: inner } = inside;
      const objects = (
        nesting === 'map' ? Object.values(given) : [given].flat()
      ) as readonly Attributes[];
      const decoded = objects.map((each) => decode(inner, each, find));
      if (nesting === 'single') return [name, decoded[0] ?? null];
      return [
        name,
        nesting === 'map'
          ? Object.fromEntries(
              Object.keys(given).map((key, index) => [key, decoded[index] as Value]),
            )
          : decoded,
      ];
    }),
  );
}

function valueOf(json: Json, type: TypeExpression, find: Find): Value {
  if (type === 'dynamic') return dynamicOf(json, find);
  if (typeof json === 'string') return textOf(json, find);
  if (type === 'string' || type === 'number' || type === 'bool') return json as Value;
  const [kind, of] = type;
  if (kind === 'list' || kind === 'set')
    return (json as readonly Json[]).map((each) => valueOf(each, of as TypeExpression, find));
  if (kind === 'map')
    return Object.fromEntries(
      Object.entries(json as object).map(([key, each]) => [
        key,
        valueOf(each as Json, of as TypeExpression, find),
      ]),
    );
  return Object.fromEntries(
    Object.entries(of as Readonly<Record<string, TypeExpression>>).map(([key, each]) => [
      key,
      valueOf((json as Attributes)[key] ?? null, each, find),
    ]),
  );
}

function dynamicOf(json: Json, find: Find): Value {
  let isKnown = true;
  const text = JSON.stringify(json, (_key, each: unknown) => {
    const value = typeof each === 'string' ? textOf(each, find) : each;
    if (isUnknown(value as Value)) isKnown = false;
    return value;
  });
  return isKnown ? fromJson(JSON.parse(text) as Json) : fromJson(json);
}

/**
 * A text with its references: alone a reference is its value, and a document is the JSON that
 * Terraform makes of it.
 */
function textOf(text: string, find: Find): Value {
  const document = /^\$\{jsonencode\((.*)\)\}$/s.exec(text)?.[1];
  if (document !== undefined) return jsonOf(document);
  const alone = /^\$\{([a-z_]+\.[^}]*)\}$/.exec(text)?.[1];
  if (alone !== undefined) return find(alone) ?? unknown;
  let isKnown = true;
  const filled = text.replace(/(?<!\$)\$\{([^}]*)\}/g, (_all, expression: string) => {
    const value = find(expression);
    isKnown &&= value !== undefined;
    return String(value);
  });
  return isKnown ? filled.replaceAll('$${', '${') : unknown;
}

/** The JSON of an object in Terraform's own language. */
function jsonOf(expression: string): string {
  const text = expression.replace(/"(?:\\.|[^"\\])*"|=/g, (part) =>
    part === '=' ? ':' : part.replaceAll('$${', '${'),
  );
  return JSON.stringify(JSON.parse(text));
}

/** Values as a plan shows them: without those that are known only after apply. */
function known(value: Value): unknown {
  if (isUnknown(value)) return undefined;
  if (value instanceof Dynamic) return known(value.value);
  if (isList(value)) return value.map((each) => known(each) ?? null);
  return isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, known(each)]))
    : value;
}

function unknownShape(value: Value): unknown {
  if (isUnknown(value)) return true;
  if (value instanceof Dynamic) return unknownShape(value.value);
  if (isList(value)) return value.map((each) => unknownShape(each));
  if (!isMap(value)) return false;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, unknownShape(each)])
      .filter(([, shape]) => shape !== false),
  );
}
