import type { TProperties, TSchema } from '@sinclair/typebox';
import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import { nearest } from '../../../core/text/nearest.js';
import { transaction } from '../../../kinds/transaction/transaction.js';
import { QuerySyntaxError } from '../errors.js';

/** The kind of a field, which decides how it is compared, sorted and printed. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'date';

/** A field of a transaction that can be filtered, sorted and searched: a leaf of the properties. */
export interface Field {
  /** The path in a transaction: `['properties', 'transactionAmount', 'value']`. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** Its column in the table of transactions. */
  readonly column: string;
}

function field(kind: FieldKind, ...path: readonly string[]): Field {
  const column = `f_${path
    .filter((word) => word !== 'properties')
    .join('_')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return { path, kind, column };
}

/**
 * The fields of an object's schema, in its order; nested objects contribute their leaves.
 */
function leafFields(properties: TProperties, parentPath: readonly string[] = []): readonly Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...parentPath, name];
    const {
      type,
      format,
      properties: nestedProperties,
      patternProperties,
    } = schema as TSchema & PropertySchema;
    if (nestedProperties !== undefined) return leafFields(nestedProperties, path);
    return patternProperties === undefined
      ? [field(format === 'date-time' ? 'date' : kindBySchemaType[type], ...path)]
      : [];
  });
}

/** The parts of a property's schema that decide the kind of the field. */
interface PropertySchema {
  readonly type: keyof typeof kindBySchemaType;
  readonly format?: string;
  readonly properties?: TProperties;
  readonly patternProperties?: object;
}

const kindBySchemaType = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
} as const;

/**
 * All fields of a transaction by their neutral names, without tags; columns are the same in both
 * dialects.
 */
const neutralFields: readonly Field[] = leafFields(transaction.properties);

/**
 * Fields by their written names: bare or below `properties`.
 *
 * @param separator between the parts of a path
 */
export function fieldsByName(
  fields: readonly Field[],
  separator: '.' | '/',
): ReadonlyMap<string, Field> {
  const names = ({ path }: Field): readonly (readonly string[])[] =>
    path[0] === 'properties' ? [path, path.slice(1)] : [path];
  return new Map(
    fields.flatMap((field) => names(field).map((path) => [path.join(separator), field] as const)),
  );
}

/** The columns of the fields, the same in every dialect. */
export const fieldColumns: readonly string[] = neutralFields.map(({ column }) => column);

/** The fields by a dialect's names. */
export function fieldsInDialect(dialect: Dialect): readonly Field[] {
  const dialectNames: Readonly<Record<string, string>> = {
    [dialectWords.creditApplied.neutral]: inDialect(dialectWords.creditApplied, dialect),
    [dialectWords.plan.neutral]: inDialect(dialectWords.plan, dialect),
  };
  return neutralFields.map((each) => ({
    ...each,
    path: each.path.map((word) => dialectNames[word] ?? word),
  }));
}

/**
 * Finds a field by its written name: bare or below `properties/`, case-sensitive.
 *
 * @throws QuerySyntaxError for an unknown name, or that of an object.
 */
export type FindField = (option: 'filter' | 'orderBy', name: string, position: number) => Field;

/** Finds the fields of a dialect. */
export function createFieldFinder(fields: readonly Field[]): FindField {
  const byName = fieldsByName(fields, '/');
  return (option, name, position) => {
    const field = byName.get(name);
    if (field) return field;
    const member = [...byName.keys()].find((fieldName) => fieldName.startsWith(`${name}/`));
    if (member !== undefined)
      throw new QuerySyntaxError(
        option,
        position,
        `"${name}" is an object: name one of its fields, such as ${member}`,
      );
    const suggestion = nearest(name, byName.keys());
    const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    throw new QuerySyntaxError(option, position, `"${name}" is not a field${hint}`);
  };
}
