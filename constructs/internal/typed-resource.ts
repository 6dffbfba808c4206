import { omitUndefined } from '../../core/values/omit-undefined.js';
import { isObject } from '../../core/values/is-object.js';
import {
  ComplexList,
  ComplexMap,
  type Construct,
  ImportableResource,
  TerraformDataSource,
  type TerraformMetaArguments,
  type TerraformProvider,
  Tokenization,
} from './cdktf.js';
import {
  type Attributes,
  generatorMetadata,
  hclAttributes,
  PlainResource,
  type ProviderOrigin,
} from './plain-resource.js';

/**
 * The names in Terraform of a binding's attributes, by their names in programs. A nested attribute
 * also has the names of its own attributes, and whether it is a single object, a list or a map.
 */
export interface AttributeNames {
  readonly [name: string]: string | readonly [string, 'single' | 'list' | 'map', AttributeNames];
}

/** The resource type of a generated binding, with its provider and its attributes. */
export interface Binding {
  /** `fabric_workspace`. */
  readonly type: string;
  /** The provider that has the type. */
  readonly origin: ProviderOrigin;
  readonly names: AttributeNames;
}

/** The base of the generated resources of fabric and castellan. */
export abstract class TypedResource extends PlainResource {
  protected constructor(
    scope: Construct,
    id: string,
    { type, origin, names }: Binding,
    config: TerraformMetaArguments,
  ) {
    const [meta, values] = splitConfig(config);
    super(scope, id, { type, origin, meta }, attributesOfConfig(names, values));
  }
}

/** The base of the generated data sources of fabric. */
export abstract class TypedDataSource extends TerraformDataSource {
  #attributes: Attributes;

  protected constructor(
    scope: Construct,
    id: string,
    { type, origin, names }: Binding,
    config: TerraformMetaArguments,
  ) {
    const [meta, values] = splitConfig(config);
    super(scope, id, {
      ...meta,
      terraformResourceType: type,
      terraformGeneratorMetadata: generatorMetadata(origin),
    });
    this.#attributes = attributesOfConfig(names, values);
  }

  /** Changes attributes, by Terraform's names; `undefined` removes one. */
  setAttributes(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** What an attribute was set to, by Terraform's name. */
  protected input(name: string): unknown {
    return this.#attributes[name];
  }

  /** The attributes as cdktf writes them in Terraform JSON. */
  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.#attributes };
  }

  /** The attributes as cdktf writes them in HCL. */
  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.#attributes);
  }
}

/** The attributes of a list or a set of objects, known after apply. */
export abstract class TypedList<Entry> extends ComplexList {
  /** The entry at an index. */
  abstract get(index: number): Entry;
}

/** The attributes of a map of objects, known after apply. */
export abstract class TypedMap<Entry> extends ComplexMap {
  /** The entry of a key. */
  abstract get(key: string): Entry;
}

/** The block that imports an existing object into the state: see `generateConfigForImport`. */
export function importBlockFor(
  scope: Construct,
  id: string,
  {
    type,
    importFrom,
    provider,
  }: {
    readonly type: string;
    readonly importFrom: string;
    readonly provider: TerraformProvider | undefined;
  },
): ImportableResource {
  return new ImportableResource(scope, id, {
    terraformResourceType: type,
    importId: importFrom,
    ...omitUndefined({ provider }),
  });
}

/** A configuration with the names of its attributes in Terraform. */
export function attributesOfConfig(names: AttributeNames, config: object): Attributes {
  return Object.fromEntries(
    Object.entries(config as Readonly<Record<string, unknown>>).map(([key, value]) => {
      const attribute = names[key];
      if (attribute === undefined) return [key, value]; // unknown, in a program without types: Terraform refuses it
      return typeof attribute === 'string'
        ? [attribute, value]
        : [attribute[0], nestedValue(attribute, value)];
    }),
  );
}

function nestedValue(
  [, nesting, names]: Exclude<AttributeNames[string], string>,
  value: unknown,
): unknown {
  if (Tokenization.isResolvable(value)) return value;
  if (Array.isArray(value))
    return value.map((each: unknown) => (isObject(each) ? attributesOfConfig(names, each) : each));
  if (!isObject(value)) return value;
  return nesting === 'map'
    ? Object.fromEntries(
        Object.entries(value).map(([key, each]) => [
          key,
          isObject(each) ? attributesOfConfig(names, each) : each,
        ]),
      )
    : attributesOfConfig(names, value);
}

function splitConfig(config: TerraformMetaArguments): [TerraformMetaArguments, object] {
  const { dependsOn, count, provider, lifecycle, forEach, provisioners, connection, ...values } =
    config;
  const meta = { dependsOn, count, provider, lifecycle, forEach, provisioners, connection };
  return [meta as TerraformMetaArguments, values];
}
