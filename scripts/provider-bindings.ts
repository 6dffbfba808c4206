import { schema as castellan } from '../provider/schemas/castellan/index.js';
import { schema as fabric } from '../provider/schemas/fabric/index.js';
import type { Attribute, ProviderSchema, ResourceSchema } from '../provider/schemas/schema.js';
import type { TypeExpression } from '../provider/values/value.js';

const folder = 'constructs/generated/lib';
const internal = '../../../internal';

/**
 * The bindings of the providers that npm has none of, as `cdktf get` would write them: a file for
 * each resource type and data source, which programs import by `castellan/lib/fabric/workspace`.
 * They are generated from the schemas that the sandbox's provider serves.
 */
export function providerBindings(): Readonly<Record<string, string>> {
  return { ...bindingsOf('fabric', fabric), ...bindingsOf('castellan', castellan) };
}

function bindingsOf(provider: string, schema: ProviderSchema): Record<string, string> {
  const file = (name: string): string => `${folder}/${provider}/${name}.ts`;
  return {
    [file('provider')]: providerFile(provider, schema),
    ...Object.fromEntries(
      Object.entries(schema.resources).map(([type, each]) => [
        file(kebab(type.slice(provider.length + 1))),
        resourceFile({ provider, type, schema: each, isData: false }),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(schema.dataSources).map(([type, each]) => [
        file(`data-${kebab(type)}`),
        resourceFile({ provider, type, schema: each, isData: true }),
      ]),
    ),
  };
}

/** A resource type or data source, of which a file is generated. */
interface Binding {
  /** Its name in Terraform: `fabric`. */
  readonly provider: string;
  /** The type's name in Terraform: `fabric_eventhouse`. */
  readonly type: string;
  readonly schema: ResourceSchema;
  /** Whether it is a data source. */
  readonly isData: boolean;
}

/** An attribute with its names in Terraform and in TypeScript. */
interface NamedAttribute {
  /** The name in Terraform: `display_name`. */
  readonly terraform: string;
  /** The name in TypeScript: `displayName`. */
  readonly name: string;
  readonly attribute: Attribute;
}

function resourceFile({ provider, type, schema, isData }: Binding): string {
  const name = `${isData ? 'Data' : ''}${pascal(type)}`;
  const attributes = namedAttributes(schema.attributes);
  const classes: string[] = [];
  const members = attributes
    .filter(
      ({ terraform, attribute }) => !(terraform === 'id' && !isSettable(attribute) && !isData),
    )
    .map((each) => resourceMember(name, each, classes));
  const config = `${name}Config`;
  const isAllOptional = attributes.every(({ attribute }) => attribute.required !== true);
  const base = isData ? 'TypedDataSource' : 'TypedResource';
  const body = [
    `/** The attributes of ${isData ? 'the data source ' : ''}\`${type}\`. */\n${interfaceOf(config, attributes, ' extends TerraformMetaArguments')}`,
    ...nestedInterfaces(name, attributes),
    ...classes,
    `const names: AttributeNames = ${namesOf(attributes)};\n`,
    [
      `/**\n * \`${isData ? 'data' : 'resource'} "${type}"\`.${schema.description === undefined ? '' : ` ${comment(schema.description)}`}\n */`,
      `export class ${name} extends ${base} {`,
      '  /** The type in Terraform. */',
      `  static readonly tfResourceType = '${type}';\n`,
      '  /**',
      `   * Writes the import of an existing one, for \`cdktf plan\` to generate its configuration.`,
      '   *',
      '   * @param importToId the id of the construct in the stack.',
      '   * @param importFromId what `terraform import` takes.',
      '   */',
      '  static generateConfigForImport(',
      '    scope: Construct,',
      '    importToId: string,',
      '    importFromId: string,',
      '    provider?: TerraformProvider,',
      '  ): ImportableResource {',
      `    return importBlockFor(scope, importToId, { type: '${type}', importFrom: importFromId, provider });`,
      '  }\n',
      `  constructor(scope: Construct, id: string, config: ${config}${isAllOptional ? ' = {}' : ''}) {`,
      `    super(scope, id, { type: '${type}', origin: ${provider}, names }, config);`,
      '  }\n',
      `${members.join('\n')}}\n`,
    ].join('\n'),
  ].join('\n');
  return `${header(provider, body)}\n${body}`;
}

function providerFile(provider: string, { config, address }: ProviderSchema): string {
  const name = `${pascal(provider)}Provider`;
  const attributes = namedAttributes(config.attributes);
  const body = [
    `/** The settings of the provider ${provider}; it takes those that are left out from its environment. */`,
    interfaceOf(`${name}Config`, attributes, '').replace(
      /\}\n$/,
      '  /** The name of a second configuration of the provider, for `provider` of constructs. */\n  readonly alias?: string | undefined;\n}\n',
    ),
    `const names: AttributeNames = ${namesOf(attributes)};\n`,
    '/**',
    ` * \`provider "${provider}"\`: ${address.replace(/^[^/]*\//, '')}.`,
    ' *',
    ' * @example',
    ` * new ${name}(stack, '${provider}', { tenantId: process.env['ARM_TENANT_ID'] });`,
    ' */',
    `export class ${name} extends PlainProvider {`,
    `  constructor(scope: Construct, id: string, config: ${name}Config = {}) {`,
    '    const { alias, ...settings } = config;',
    `    super(scope, id, ${provider}, attributesOfConfig(names, settings), alias);`,
    '  }',
    '}\n',
  ].join('\n');
  return `${header(provider, body)}\n${body}`;
}

/** The imports of a file, of what it uses. */
function header(provider: string, body: string): string {
  const usedNames = (names: readonly string[]): string[] =>
    names.filter((each) => new RegExp(`\\b${each}\\b`).test(body));
  const line = (types: readonly string[], values: readonly string[], path: string): string => {
    const imports = [...usedNames(types).map((each) => `type ${each}`), ...usedNames(values)];
    return imports.length === 0
      ? ''
      : `import { ${imports.join(', ')} } from '${internal}/${path}.js';\n`;
  };
  const cdktf = [
    'Construct',
    'IResolvable',
    'ImportableResource',
    'TerraformMetaArguments',
    'TerraformProvider',
  ];
  const typed = [
    'TypedDataSource',
    'TypedList',
    'TypedMap',
    'TypedResource',
    'attributesOfConfig',
    'importBlockFor',
  ];
  return [
    '// Written by scripts/provider-bindings.ts from provider/schemas: npm run generate.\n',
    line(cdktf, ['ComplexObject'], 'cdktf'),
    line([], ['PlainProvider'], 'plain-resource'),
    line([], [provider], 'provider-origins'),
    line(['AttributeNames'], typed, 'typed-resource'),
  ].join('');
}

/** The attributes with their names; none is that of a member of cdktf's own classes. */
function namedAttributes(
  attributes: Readonly<Record<string, Attribute>>,
): readonly NamedAttribute[] {
  return Object.entries(attributes).map(([terraform, attribute]) => ({
    terraform,
    name: camel(terraform),
    attribute,
  }));
}

function isSettable({ required, optional }: Attribute): boolean {
  return required === true || optional === true;
}

function interfaceOf(
  name: string,
  attributes: readonly NamedAttribute[],
  heritage: string,
): string {
  const prefix = name.replace(/Config$/, '');
  const lines = attributes
    .filter(({ attribute }) => isSettable(attribute))
    .map((each) => {
      const [optionalMark, orUndefined] =
        each.attribute.required === true ? ['', ''] : ['?', ' | undefined'];
      return `${docOf(each)}  readonly ${each.name}${optionalMark}: ${inputType(prefix, each)}${orUndefined};\n`;
    });
  return `export interface ${name}${heritage} {\n${lines.join('')}}\n`;
}

/** The interfaces of attributes that have attributes themselves, and are set by programs. */
function nestedInterfaces(
  prefix: string,
  attributes: readonly NamedAttribute[],
): readonly string[] {
  return attributes.flatMap(({ name, attribute: { nested, ...attribute } }) => {
    if (nested === undefined || !isSettable({ ...attribute, nested })) return [];
    const nestedName = `${prefix}${pascal(name)}`;
    const nestedAttributes = namedAttributes(nested.attributes);
    return [
      `/** \`${name}\` of {@link ${prefix}}. */\n${interfaceOf(nestedName, nestedAttributes, '')}`,
      ...nestedInterfaces(nestedName, nestedAttributes),
    ];
  });
}

function namesOf(attributes: readonly NamedAttribute[]): string {
  const entries = attributes
    .filter(({ attribute }) => isSettable(attribute))
    .map(({ name, terraform, attribute: { nested } }) => {
      if (nested === undefined) return `${name}: '${terraform}'`;
      const nesting = nested.nesting === 'set' ? 'list' : nested.nesting;
      return `${name}: ['${terraform}', '${nesting}', ${namesOf(namedAttributes(nested.attributes))}]`;
    });
  return `{ ${entries.join(', ')} }`;
}

/** The accessors of an attribute, and the classes of what is in it. */
function resourceMember(prefix: string, namedAttribute: NamedAttribute, classes: string[]): string {
  const { name, terraform, attribute } = namedAttribute;
  const input = inputType(prefix, namedAttribute);
  const getters = `${docOf(namedAttribute)}${getter(prefix, namedAttribute, classes)}`;
  if (!isSettable(attribute)) return getters;
  const orUndefined = attribute.required === true ? '' : ' | undefined';
  const setter =
    attribute.nested === undefined
      ? `  set ${name}(value: ${input}${orUndefined}) {\n    this.setAttributes({ ${terraform}: value });\n  }\n`
      : `\n  /** Changes \`${name}\`; undefined removes it. */\n  put${pascal(name)}(value: ${input}${orUndefined}): void {\n    this.setAttributes(attributesOfConfig(names, { ${name}: value }));\n  }\n`;
  const inputGetter =
    attribute.nested === undefined
      ? `\n  /** What \`${name}\` was set to. */\n  get ${name}Input(): ${input}${orUndefined} {\n    return this.input('${terraform}') as ${input}${orUndefined};\n  }\n`
      : '';
  return `${getters}${setter}${inputGetter}`;
}

function getter(
  prefix: string,
  { name, terraform, attribute }: NamedAttribute,
  classes: string[],
): string {
  const { nested } = attribute;
  if (nested === undefined) {
    const [type, method] = outputOf(attribute.type ?? 'dynamic');
    return `  get ${name}(): ${type} {\n    return this.${method}('${terraform}');\n  }\n`;
  }
  const nestedName = outputClass(`${prefix}${pascal(name)}`, nested, classes);
  const setArgument = nested.nesting === 'map' ? '' : `, ${String(nested.nesting === 'set')}`;
  return `  get ${name}(): ${nestedName} {\n    return new ${nestedName}(this, '${terraform}'${setArgument});\n  }\n`;
}

/** Adds the class that reads an attribute with attributes of its own; returns its name. */
function outputClass(
  prefix: string,
  { nesting, attributes }: NonNullable<Attribute['nested']>,
  classes: string[],
): string {
  const entry = `${prefix}Output`;
  const members = namedAttributes(attributes).map(
    (each) => `${docOf(each)}${getter(prefix, each, classes)}`,
  );
  classes.push(
    `/** What is known of it after apply. */\nexport class ${entry} extends ComplexObject {\n${members.join('\n')}}\n`,
  );
  if (nesting === 'single') return entry;
  const [name, base, key] =
    nesting === 'map'
      ? [`${prefix}Map`, 'TypedMap', 'key: string']
      : [`${prefix}List`, 'TypedList', 'index: number'];
  const index = nesting === 'map' ? 'JSON.stringify(key)' : 'index';
  const isFromSet = nesting === 'map' ? 'false' : 'this.wrapsSet';
  classes.push(
    [
      `/** Its entries, known after apply. */\nexport class ${name} extends ${base}<${entry}> {`,
      `  /** The entry of ${nesting === 'map' ? 'a key' : 'an index'}. */`,
      `  get(${key}): ${entry} {`,
      `    return new ${entry}(this.terraformResource, this.terraformAttribute, ${isFromSet}, ${index});`,
      '  }\n}\n',
    ].join('\n'),
  );
  return name;
}

/** The TypeScript type of an attribute that programs set. */
function inputType(prefix: string, { name, attribute: { nested, type } }: NamedAttribute): string {
  if (nested === undefined) return inputOf(type ?? 'dynamic');
  const nestedName = `${prefix}${pascal(name)}`;
  if (nested.nesting === 'single') return nestedName;
  return nested.nesting === 'map'
    ? `Readonly<Record<string, ${nestedName}>> | IResolvable`
    : `readonly ${nestedName}[] | IResolvable`;
}

function inputOf(type: TypeExpression): string {
  if (type === 'bool') return 'boolean | IResolvable';
  if (typeof type === 'string') return type === 'dynamic' ? 'unknown' : type;
  const [collection, entryType] = type;
  if (collection === 'list' || collection === 'set') return `readonly ${inputOf(entryType)}[]`;
  if (collection === 'map') return `Readonly<Record<string, ${inputOf(entryType)}>>`;
  throw new Error(`There is no TypeScript type for ${JSON.stringify(type)} yet.`);
}

/** The TypeScript type of an attribute that programs read, and cdktf's method that reads it. */
function outputOf(type: TypeExpression): readonly [type: string, method: string] {
  const outputs: Readonly<Record<string, readonly [string, string]>> = {
    string: ['string', 'getStringAttribute'],
    number: ['number', 'getNumberAttribute'],
    bool: ['IResolvable', 'getBooleanAttribute'],
    'list of string': ['string[]', 'getListAttribute'],
    'set of string': ['string[]', 'getListAttribute'],
    'map of string': ['{ [key: string]: string }', 'getStringMapAttribute'],
  };
  const name = typeof type === 'string' ? type : `${type[0]} of ${String(type[1])}`;
  const output = outputs[name];
  if (output === undefined)
    throw new Error(`There is no method of cdktf that reads a ${name} yet.`);
  return output;
}

/** The comment of an attribute: its meaning, what its change does, and its default. */
function docOf({ terraform, attribute }: NamedAttribute): string {
  const { description, forceNew, default: defaultValue, deprecated, sensitive } = attribute;
  const otherNames = (names: readonly string[] = []): string =>
    names
      .filter((name) => name !== terraform)
      .map((name) => `\`${camel(name)}\``)
      .join(', ');
  const [conflicts, exactly] = [
    otherNames(attribute.conflictsWith),
    otherNames(attribute.exactlyOneOf),
  ];
  const sentences = [
    comment(description ?? `\`${terraform}\` in Terraform.`),
    forceNew === true ? 'A change replaces the resource.' : '',
    sensitive === true ? 'It is a secret.' : '',
    conflicts === '' ? '' : `Not with ${conflicts}.`,
    exactly === '' ? '' : `Either this or ${exactly}.`,
    defaultValue === undefined || defaultValue === ''
      ? ''
      : `@default ${JSON.stringify(defaultValue)}`,
    deprecated === undefined
      ? ''
      : `@deprecated ${deprecated === true ? 'by the provider' : deprecated}`,
  ];
  return `  /** ${sentences.filter((each) => each !== '').join(' ')} */\n`;
}

function comment(text: string): string {
  return text.replaceAll('*/', '*\\/');
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function pascal(name: string): string {
  const text = camel(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
