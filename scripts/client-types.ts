import type { TProperties, TSchema } from '@sinclair/typebox';
import { application } from '../kinds/application/application.js';
import { group } from '../kinds/group/group.js';
import { groupLifecyclePolicy } from '../kinds/group/lifecycle-policy.js';
import { metadataOf } from '../kinds/schema/property-metadata.js';
import { servicePrincipal } from '../kinds/service-principal/service-principal.js';
import { transaction } from '../kinds/transaction/transaction.js';
import { user } from '../kinds/user/user.js';
import { docComment } from './construct-props.js';

/** The kinds of directory objects, by the name of the interface of their properties. */
const directoryInterfaces = {
  GroupProperties: group,
  GroupLifecyclePolicyProperties: groupLifecyclePolicy,
  UserProperties: user,
  ApplicationProperties: application,
  ServicePrincipalProperties: servicePrincipal,
};

/** A schema as this generator reads it. */
interface Node extends TSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: TSchema;
  readonly properties?: TProperties;
  readonly patternProperties?: object;
  readonly required?: readonly string[];
}

/**
 * The source of clients/generated/objects.ts, which `npm run generate` writes: the answers of the
 * services for the described kinds. Where a description says only that a value is an object, the
 * client's own types are used.
 */
export function clientTypes(): string {
  const { properties, systemData } = transaction.properties as Readonly<Record<string, Node>>;
  const directory = Object.entries(directoryInterfaces).map(([name, { meaning, inApi }]) =>
    interfaceOf(name, meaning, inApi, writeDirectoryProperty),
  );
  return [
    '// Written by scripts/client-types.ts from the descriptions of the kinds: npm run generate.\n',
    ...directory,
    '/** Money: the value is the exact decimal as text, in major units of the currency; it never passes through binary floating point. */',
    'export interface Amount {',
    '  /** An ISO 4217 code. */\n  readonly currency: string;',
    '  /** A decimal number, such as `12.5` or `-0.004`. */\n  readonly value: string;\n}\n',
    interfaceOf(
      'TransactionProperties',
      'What was charged, with the names of both dialects.',
      inBothDialects(properties),
      writeOptionalProperty,
    ),
    interfaceOf(
      'SystemData',
      String(systemData?.description),
      systemData?.properties ?? {},
      writeOptionalProperty,
    ),
  ].join('\n');
}

/** Writes a property of an interface: name, question mark and type. */
type WriteProperty = (name: string, schema: Node) => string;

function interfaceOf(
  name: string,
  meaning: string,
  properties: TProperties,
  writeProperty: WriteProperty,
): string {
  const lines = Object.entries(properties).map(
    ([property, schema]) =>
      `${docComment(schema, '  ')}  readonly ${writeProperty(property, schema)};\n`,
  );
  return `/** ${meaning} */\nexport interface ${name} {\n${lines.join('')}}\n`;
}

/** The properties of a schema; those of credits and plans with the names of both dialects. */
function inBothDialects(schema: Node | undefined): TProperties {
  const entries = Object.entries(schema?.properties ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, each]) =>
      name.startsWith('cloud')
        ? [
            [name, each],
            [name.replace('cloud', 'azure'), each],
          ]
        : [[name, each]],
    ),
  ) as TProperties;
}

/** A property of the directory: always present if it is never null, otherwise null by default. */
const writeDirectoryProperty: WriteProperty = (name, schema) => {
  const { nonNullable, returned, valueWhenAbsent = schema['default'] } = metadataOf(schema);
  const type = typeOf(schema);
  const isNull =
    nonNullable !== true &&
    valueWhenAbsent === undefined &&
    type !== 'unknown' &&
    !type.startsWith('readonly ');
  return `${name}${nonNullable === true && returned === undefined ? '' : '?'}: ${type}${isNull ? ' | null' : ''}`;
};

const writeOptionalProperty: WriteProperty = (name, schema) => `${name}?: ${typeOf(schema)}`;

function typeOf(schema: Node): string {
  const { type, enum: values, items, properties } = schema;
  if (metadataOf(schema).separator !== undefined) return 'string';
  // `string & {}` keeps the known values in completion, and accepts later ones
  if (values !== undefined)
    return `${values.map((value) => `'${value}'`).join(' | ')} | (string & {})`;
  if (type === 'array') return `readonly ${items?.['type'] === 'object' ? 'object' : 'string'}[]`;
  if (properties?.['currency'] !== undefined) return 'Amount';
  if (properties === undefined || type !== 'object')
    return type === 'integer' ? 'number' : (type ?? 'unknown');
  const lines = Object.entries(properties).map(
    ([name, each]) => `readonly ${writeOptionalProperty(name, each)}`,
  );
  return `{ ${lines.join('; ')} }`;
}
