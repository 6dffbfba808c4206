import { omitUndefined } from '../../core/values/omit-undefined.js';
import * as checks from './checks.js';
import {
  block,
  computed,
  optional,
  optionalComputed,
  required,
  typeOfAttribute,
  typeOfBlock,
  timeoutsBlock,
} from './schema-builders.js';
import type {
  Attribute,
  Block,
  BlockSchema,
  Check,
  ConfigValidator,
  Nesting,
  ProviderSchema,
  ResourceSchema,
  ProviderSdk,
} from './schema.js';
import { normalizeLocation, isEqualIgnoringCase, isSameLocation } from './spelling.js';
import { withoutPlace, type BodyPlace } from './body-place.js';
import type { TypeExpression } from '../values/value.js';

/** A check by its name, `"uuid"`, or a limit with its values, `{ "between": [1, 100] }`. */
type CheckData = string | Readonly<Record<string, unknown>>;

/** Attributes in a data file; `timeouts` is the list of operations. */
type AttributesData = Readonly<Record<string, AttributeData | readonly string[]>>;
type BlocksData = Readonly<Record<string, BlockData | readonly string[] | IdentityBlock>>;

/**
 * The block of managed identities that many types have: with the ids of its own principal, or of
 * user-assigned identities only.
 */
export type IdentityBlock = 'identity' | 'userIdentity';

/** An attribute in a data file, with its place in the service's body. */
export interface AttributeData
  extends Omit<Attribute, 'checks' | 'isEquivalent' | 'normalize' | 'nested'>, BodyPlace {
  readonly checks?: readonly CheckData[];
  readonly isEquivalent?: keyof typeof spellings;
  readonly normalize?: 'normalizeLocation';
  readonly nested?: { readonly nesting: Nesting; readonly attributes: AttributesData };
}

/** The content of a resource or a block in a data file. */
export interface BodyData {
  readonly attributes: AttributesData;
  readonly blocks?: BlocksData;
}

/** A block in a data file. */
export type BlockData = Omit<Block, 'attributes' | 'blocks'> & BodyData & BodyPlace;

/**
 * A data source with the attributes of a resource, set by the service, except `without`;
 * `attributes` are added or replaced.
 */
interface DataOfResource {
  readonly dataOf: string;
  /** Names of attributes, and paths in them: `template.container`. */
  readonly without?: readonly string[];
  readonly attributes: AttributesData;
}

/** An official provider in `data/`: its schema, and the checks of its code. */
interface ProviderData {
  readonly address: string;
  readonly sdk: ProviderSdk;
  /** The attributes and blocks of the provider block. */
  readonly config: BodyData;
  /** By resource type; the version is that of the schema. */
  readonly resources: Readonly<Record<string, BodyData & { readonly version: number }>>;
  readonly dataSources: Readonly<
    Record<string, (BodyData & { readonly version: number }) | DataOfResource>
  >;
}

/** Checks, and functions that create a check from the values of a limit. */
const commonChecks: Readonly<Record<string, unknown>> = { ...checks };
const spellings = { sameIgnoringCase: isEqualIgnoringCase, sameLocation: isSameLocation };

/**
 * Loads the schema of an official provider from its data file.
 *
 * @param namedChecks the provider's own checks, by their names in the file.
 * @param configValidators checks over several attributes, by resource type.
 */
export function officialSchema(
  file: unknown,
  namedChecks: Readonly<Record<string, Check>>,
  configValidators: Readonly<Record<string, readonly ConfigValidator[]>> = {},
): ProviderSchema {
  const data = file as ProviderData;
  const resources = mapValues(data.resources, (resource, type): ResourceSchema => {
    return {
      ...readBody(resource, namedChecks),
      version: resource.version,
      ...omitUndefined({ configValidators: configValidators[type] }),
    };
  });
  const dataSources = mapValues(data.dataSources, (source): ResourceSchema => {
    if (!('dataOf' in source)) return { ...readBody(source, namedChecks), version: source.version };
    const resource = resources[source.dataOf];
    if (resource === undefined)
      throw new Error(`There is no resource type ${source.dataOf} to read.`);
    return dataSourceOf(resource, readAttributes(source.attributes, namedChecks), source.without);
  });
  return {
    address: data.address,
    sdk: data.sdk,
    config: readBody(data.config, namedChecks),
    resources,
    dataSources,
  };
}

function readBody(
  { attributes, blocks }: BodyData,
  namedChecks: Readonly<Record<string, Check>>,
): BlockSchema {
  return {
    attributes: readAttributes(attributes, namedChecks),
    ...(blocks !== undefined && {
      blocks: mapValues(blocks, (each) => readBlock(each, namedChecks)),
    }),
  };
}

function readBlock(
  data: BlockData | readonly string[] | IdentityBlock,
  namedChecks: Readonly<Record<string, Check>>,
): Block {
  if (typeof data === 'string') return identityBlocks[data];
  if (isTimeoutsEntry(data)) return timeoutsBlock(data);
  const { attributes, blocks, ...blockData } = data;
  return {
    ...withoutPlace(blockData),
    ...readBody(blocks === undefined ? { attributes } : { attributes, blocks }, namedChecks),
  };
}

const userIdentity = { type: required('string'), identity_ids: optional(['set', 'string']) };
const identityBlocks: Readonly<Record<IdentityBlock, Block>> = {
  identity: block(
    'list',
    { ...userIdentity, principal_id: computed('string'), tenant_id: computed('string') },
    { max: 1 },
  ),
  userIdentity: block('list', userIdentity, { max: 1 }),
};

function readAttributes(
  attributes: AttributesData,
  namedChecks: Readonly<Record<string, Check>>,
): Readonly<Record<string, Attribute>> {
  return mapValues(attributes, (data): Attribute => {
    if (isTimeoutsEntry(data)) return { nested: timeoutsBlock(data), optional: true };
    const { checks, isEquivalent, normalize, nested, ...attributeData } = data;
    return {
      ...withoutPlace(attributeData),
      ...(nested !== undefined && {
        nested: { ...nested, attributes: readAttributes(nested.attributes, namedChecks) },
      }),
      ...omitUndefined({ checks: checks?.map((each) => readCheck(each, namedChecks)) }),
      ...(isEquivalent !== undefined && { isEquivalent: spellings[isEquivalent] }),
      ...(normalize !== undefined && { normalize: normalizeLocation }),
    };
  });
}

/**
 * Whether an entry among the attributes is `timeouts`, for which a data file has the list of its
 * operations.
 */
export function isTimeoutsEntry(data: object): data is readonly string[] {
  return Array.isArray(data);
}

function readCheck(data: CheckData, namedChecks: Readonly<Record<string, Check>>): Check {
  if (typeof data === 'string')
    return namedChecks[data] ?? (commonChecks[data] as Check | undefined) ?? unknownCheck(data);
  const [[limit, values] = ['', undefined]] = Object.entries(data);
  return (
    (commonChecks[limit] as ((...values: unknown[]) => Check) | undefined)?.(...[values].flat()) ??
    unknownCheck(limit)
  );
}

function unknownCheck(name: string): never {
  throw new Error(`There is no check ${name}.`);
}

/**
 * The data source of a resource: its attributes, set by the service, sets as lists; without paths
 * such as `template.container`.
 */
function dataSourceOf(
  resource: ResourceSchema,
  additionalAttributes: Readonly<Record<string, Attribute>>,
  without: readonly string[] = [],
): ResourceSchema {
  const { timeouts: _timeouts, ...blocks } = resource.blocks ?? {};
  const types = {
    ...mapValues(resource.attributes, typeOfAttribute),
    ...mapValues(blocks, typeOfBlock),
  };
  const computedAttributes = Object.entries(types).flatMap(
    ([name, type]): [string, Attribute][] => {
      const { sensitive } = resource.attributes[name] ?? {};
      return without.includes(name)
        ? []
        : [[name, computed(dataSourceType(type, name, without), sensitive ? { sensitive } : {})]];
    },
  );
  const attributes = {
    ...Object.fromEntries(computedAttributes),
    id: optionalComputed('string'),
    ...additionalAttributes,
  };
  return { version: 0, attributes, blocks: { timeouts: timeoutsBlock(['read']) } };
}

function dataSourceType(
  type: TypeExpression,
  path: string,
  without: readonly string[],
): TypeExpression {
  if (typeof type === 'string' || type[0] === 'tuple') return type;
  if (type[0] !== 'object')
    return [type[0] === 'set' ? 'list' : type[0], dataSourceType(type[1], path, without)];
  const members = Object.entries(type[1]).filter(([name]) => !without.includes(`${path}.${name}`));
  return [
    'object',
    Object.fromEntries(
      members.map(([name, each]) => [name, dataSourceType(each, `${path}.${name}`, without)]),
    ),
  ];
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value, name)]),
  );
}
