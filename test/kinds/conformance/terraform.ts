import { staticToken } from '../../../clients/common/index.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import { createDirectoryClient } from '../../../clients/directory/index.js';
import { createItemsClient } from '../../../clients/items/index.js';
import { createResourceManagerClient } from '../../../clients/resource-manager/index.js';
import { callerIdentity } from '../../../provider/control-plane.js';
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
import type { BlockSchema, ResourceSchema, ProviderSdk } from '../../../provider/schemas/schema.js';
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

interface ServedType {
  readonly schema: ResourceSchema;
  readonly sdk: ProviderSdk;
  readonly handler: ResourceHandler;
}

interface AppliedResource {
  readonly json: string;
  readonly served: ServedType;
  readonly state: ValueMap;
  readonly needs: readonly string[];
}

/**
 * What Terraform does with a stack, in this process: our provider validates, plans and applies, and
 * the services decide.
 */
export class SmallTerraform {
  readonly #applied = new Map<string, AppliedResource>();

  private constructor(
    private readonly types: ReadonlyMap<string, ServedType>,
    private readonly dataSources: ReadonlyMap<string, DataSourceHandler>,
    private readonly context: Context,
    private readonly folder: string,
  ) {}

  static async forServices({
    fetch,
    folder,
  }: Awaited<ReturnType<typeof startServices>>): Promise<SmallTerraform> {
    const credential = staticToken(testToken());
    const shared = { baseUrl: 'http://services.test', credential, fetch };
    const api: Api = {
      directory: createDirectoryClient({ ...shared, dialect: 'azure' }),
      items: createItemsClient({ ...shared, dialect: 'azure' }),
      resourceManager: createResourceManagerClient(shared),
      identity: callerIdentity({ tenantId, subscriptionId, credential, scope: '' }),
    };
    const names = Object.keys(providerAddresses) as ProviderName[];
    const providers = await Promise.all(names.map((name) => loadProvider(name, () => api)));
    const types = providers.flatMap(({ schema: { resources, sdk: sdk }, resources: handlers }) =>
      Object.entries(resources).flatMap(([type, schema]) => {
        const handler = handlers[type];
        return handler === undefined ? [] : [[type, { schema, sdk, handler }] as const];
      }),
    );
    const dataSources = providers.flatMap((provider) => Object.entries(provider.dataSources));
    const context: Context = {
      api,
      providerConfig: {},
      signal: new AbortController().signal,
      warn: () => undefined,
    };
    return new SmallTerraform(new Map(types), new Map(dataSources), context, folder);
  }

  /** What the providers refuse before anything is asked of a service. */
  validate(blocks: Blocks): readonly string[] {
    return addressesOf(blocks).flatMap(({ type, attributes }) => {
      const { schema, sdk } = this.#served(type);
      const config = decode(schema, attributes, this.#knownValue);
      const findings = validateConfig(schema, sdk, config).filter(
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
          const { schema, sdk, handler } = this.#served(type);
          const config = decode(schema, attributes, this.#knownValue);
          const change = new PlannedChange(
            sdk,
            config,
            undefined,
            planChange(schema, sdk, { config }).planned,
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
            after: knownValues(change.planned),
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
    const wantedResources = new Map(addressesOf(resource).map((each) => [each.address, each]));
    await this.#removeAllBut(
      (address, json) => JSON.stringify(wantedResources.get(address)?.attributes) === json,
    );
    const waitingResources = new Map(
      [...wantedResources].filter(([address]) => !this.#applied.has(address)),
    );
    while (waitingResources.size > 0) {
      const before = waitingResources.size;
      for (const [address, { type, attributes }] of waitingResources) {
        const needs = [...JSON.stringify(attributes).matchAll(/\$\{([a-z_]+\.[\w-]+)\./g)].map(
          ([, each = '']) => each,
        );
        if (needs.some((each) => waitingResources.has(each))) continue;
        waitingResources.delete(address);
        const refusal = await this.#create(address, type, attributes, { data, needs });
        if (refusal !== undefined) return refusal;
      }
      if (waitingResources.size === before)
        throw new Error(`no order for ${[...waitingResources.keys()].join(', ')}`);
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
    const { schema, sdk, handler } = served;
    const values = new Map<string, Value | undefined>();
    for (const [, expression = ''] of JSON.stringify(attributes).matchAll(
      /\$\{([a-z_]+\.[^}]*)\}/g,
    ))
      values.set(expression, await this.#valueOf(expression, data));
    const config = decode(schema, attributes, (expression) => values.get(expression));
    const change = new PlannedChange(
      sdk,
      config,
      undefined,
      planChange(schema, sdk, { config }).planned,
      [],
    );
    const json = JSON.stringify(attributes);
    const storeState = (reported: Parameters<typeof newStateOf>[3]): void =>
      void this.#applied.set(address, {
        json,
        served,
        needs,
        state: newStateOf(schema, sdk, change.planned, reported),
      });
    try {
      await handler.plan?.({ ...this.context, change });
      storeState(
        await handler.create({
          ...this.context,
          planned: change.planned,
          config,
          reportCreated: storeState,
        }),
      );
      return undefined;
    } catch (error) {
      return `${address}: ${(error as Error).message} ${(error as { detail?: string }).detail ?? ''}`;
    }
  }

  /**
   * Removes what another stack declares in another way, and what needs it, the newest first. What is
   * no object of its own leaves what it set on another, which is then removed, too.
   */
  async #removeAllBut(isKept: (address: string, json: string) => boolean): Promise<void> {
    const removedAddresses = new Set<string>();
    for (const [address, { json, needs }] of this.#applied)
      if (!isKept(address, json))
        for (const each of address.includes('_properties.') ? [address, ...needs] : [address])
          removedAddresses.add(each);
    for (const [address, { needs }] of this.#applied)
      if (needs.some((each) => removedAddresses.has(each))) removedAddresses.add(address);
    for (const address of [...this.#applied.keys()].reverse()) {
      if (!removedAddresses.has(address)) continue;
      const { served, state } = this.#applied.get(address) as AppliedResource;
      await served.handler.delete({ ...this.context, state });
      this.#applied.delete(address);
    }
  }

  async #valueOf(expression: string, data: Blocks): Promise<Value | undefined> {
    const [first, second = '', third = '', fourth = ''] = expression.split('.');
    const knownValue = this.#knownValue(expression);
    if (knownValue !== undefined) return knownValue;
    if (first !== 'data') return this.#applied.get(`${first}.${second}`)?.state[third];
    const dataState = await this.dataSources.get(second)?.({
      ...this.context,
      config: (data[second]?.[third] ?? {}) as ValueMap,
    });
    return dataState?.[fourth];
  }

  /** What Terraform knows without any service: variables, and the folder of the stack. */
  readonly #knownValue: FindValue = (expression) => {
    if (expression === 'path.module') return this.folder;
    return expression.startsWith('var.') ? `value of ${expression}` : undefined;
  };

  #served(type: string): ServedType {
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

type FindValue = (expression: string) => Value | undefined;

/**
 * The configuration of a resource as Terraform gives it to a provider: references are their values,
 * or unknown.
 */
function decode(body: BlockSchema, attributes: Attributes, find: FindValue): ValueMap {
  return Object.fromEntries(
    fieldsOf(body).map(({ name, type, attribute, nested }): [string, Value] => {
      const configured = attributes[name];
      if (configured === undefined || configured === null)
        return [
          name,
          nested !== undefined && nested.nesting !== 'single' && attribute === undefined
            ? []
            : null,
        ];
      if (nested === undefined) return [name, valueOf(configured, type, find)];
      const { nesting, body: inner } = nested;
      const objects = (
        nesting === 'map' ? Object.values(configured) : [configured].flat()
      ) as readonly Attributes[];
      const decoded = objects.map((each) => decode(inner, each, find));
      if (nesting === 'single') return [name, decoded[0] ?? null];
      return [
        name,
        nesting === 'map'
          ? Object.fromEntries(
              Object.keys(configured).map((key, index) => [key, decoded[index] as Value]),
            )
          : decoded,
      ];
    }),
  );
}

function valueOf(json: Json, type: TypeExpression, find: FindValue): Value {
  if (type === 'dynamic') return dynamicOf(json, find);
  if (typeof json === 'string') return textOf(json, find);
  if (type === 'string' || type === 'number' || type === 'bool') return json as Value;
  const [kind, elementType] = type;
  if (kind === 'list' || kind === 'set')
    return (json as readonly Json[]).map((each) =>
      valueOf(each, elementType as TypeExpression, find),
    );
  if (kind === 'map')
    return Object.fromEntries(
      Object.entries(json as object).map(([key, each]) => [
        key,
        valueOf(each as Json, elementType as TypeExpression, find),
      ]),
    );
  return Object.fromEntries(
    Object.entries(elementType as Readonly<Record<string, TypeExpression>>).map(([key, each]) => [
      key,
      valueOf((json as Attributes)[key] ?? null, each, find),
    ]),
  );
}

function dynamicOf(json: Json, find: FindValue): Value {
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
function textOf(text: string, find: FindValue): Value {
  const document = /^\$\{jsonencode\((.*)\)\}$/s.exec(text)?.[1];
  if (document !== undefined) return jsonOf(document);
  const onlyReference = /^\$\{([a-z_]+\.[^}]*)\}$/.exec(text)?.[1];
  if (onlyReference !== undefined) return find(onlyReference) ?? unknown;
  let isKnown = true;
  const textWithValues = text.replace(/(?<!\$)\$\{([^}]*)\}/g, (_all, expression: string) => {
    const value = find(expression);
    isKnown &&= value !== undefined;
    return String(value);
  });
  return isKnown ? textWithValues.replaceAll('$${', '${') : unknown;
}

/** The JSON of an object in Terraform's own language. */
function jsonOf(expression: string): string {
  const text = expression.replace(/"(?:\\.|[^"\\])*"|=/g, (part) =>
    part === '=' ? ':' : part.replaceAll('$${', '${'),
  );
  return JSON.stringify(JSON.parse(text));
}

/** Values as a plan shows them: without those that are known only after apply. */
function knownValues(value: Value): unknown {
  if (isUnknown(value)) return undefined;
  if (value instanceof Dynamic) return knownValues(value.value);
  if (isList(value)) return value.map((each) => knownValues(each) ?? null);
  return isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, knownValues(each)]))
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
