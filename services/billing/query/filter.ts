import { type RawBuilder, sql } from 'kysely';
import { transaction } from '../../../kinds/transaction/transaction.js';
import type { Token } from '../../common/filter/lexer.js';
import { parseFilter as parseFilterTree } from '../../common/filter/parser.js';
import type {
  ComparisonOperator,
  FilterTree,
  PropertyPath,
  StringFunction,
} from '../../common/filter/tree.js';
import { QuerySyntaxError } from '../errors.js';
import type { Field, FindField } from '../store/fields.js';
import { dateKey, decimalKey } from '../store/sort-keys.js';
import { textPrefix } from '../store/stored-transaction.js';

/** A filter as a SQL condition; all fields exist, and all literals fit their field. */
export interface Filter {
  readonly condition: RawBuilder<unknown>;
  /** The columns in the condition. */
  readonly columns: readonly string[];
  /** Conditions that are equivalent to this one when joined by `and`. */
  readonly conjuncts?: readonly Filter[];
  /** Set if the field must have one of these values, in stored form. */
  readonly oneOf?: { readonly field: Field; readonly values: readonly string[] };
}

const literalKinds = new Set<Token['kind']>(['string', 'number', 'date', 'guid']);
const isLiteral = ({ kind, text }: Token): boolean =>
  literalKinds.has(kind) || (kind === 'word' && /^(true|false|null)$/.test(text));

/**
 * Parses `filter`: `eq ne lt le gt ge and or not ( ) in contains startswith endswith`; `or` binds
 * least, `not` most.
 *
 * @throws QuerySyntaxError with the position of the first mistake.
 */
export function parseFilter(source: string, findField: FindField): Filter {
  const { maxLength, maxDepth, maxClauses } = transaction.limits.filter;
  const fieldAt = (path: PropertyPath): Field =>
    findField('filter', path.segments.join('/'), path.position);
  const tree = parseFilterTree<Token>(source, {
    // The whole and the last value count as levels, too.
    limits: { length: maxLength, depth: maxDepth + 2, clauses: maxClauses },
    createError: (reason, position) => new QuerySyntaxError('filter', position, reason),
    literal: (token) => (isLiteral(token) ? token : undefined),
    booleanValue: (path) =>
      fieldAt(path).kind === 'boolean'
        ? { kind: 'word', text: 'true', position: path.position }
        : undefined,
  });
  return compile(tree, fieldAt);
}

/** No column is null, absent fields are '': what `not` negates is true or false. */
function compile(node: FilterTree<Token>, fieldAt: (path: PropertyPath) => Field): Filter {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const operands = node.operands.map((operand) => compile(operand, fieldAt));
      const conditions = operands.map(({ condition }) => condition);
      const columns = operands.flatMap((operand) => operand.columns);
      if (node.kind === 'or')
        return { condition: sql`(${sql.join(conditions, sql` or `)})`, columns };
      return {
        condition: sql`(${sql.join(conditions, sql` and `)})`,
        columns,
        conjuncts: operands,
      };
    }
    case 'not': {
      const { condition, columns } = compile(node.operand, fieldAt);
      return { condition: sql`not (${condition})`, columns };
    }
    case 'in': {
      const field = fieldAt(node.path);
      return equalsAnyOf(
        field,
        node.values.map((value) => storedLiteral(value, field)),
      );
    }
    case 'function': {
      const field = fieldAt(node.path);
      if (field.kind === 'text')
        return {
          condition: stringCondition(sql.ref(field.column), node.name, node.value),
          columns: [field.column],
        };
      throw new QuerySyntaxError(
        'filter',
        node.path.position,
        `${node.name} needs a text field, which "${fieldName(field)}" is not`,
      );
    }
    case 'compare': {
      const field = fieldAt(node.path);
      const value = storedLiteral(node.value, field);
      if (node.operator === 'eq') return equalsAnyOf(field, [value]);
      if (value === '' && node.operator !== 'ne')
        throw new QuerySyntaxError(
          'filter',
          node.value.position,
          'null can be compared with eq and ne only',
        );
      return {
        condition: compare(sql.ref(field.column), node.operator, value),
        columns: [field.column],
      };
    }
    default:
      throw new Error(`filters of transactions do not support ${node.kind}`);
  }
}

function equalsAnyOf(field: Field, values: readonly string[]): Filter {
  const column = sql.ref(field.column);
  const condition =
    values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} in (${sql.join(values)})`;
  return { condition, columns: [field.column], oneOf: { field, values } };
}

const sqlOperators = { ne: sql`<>`, lt: sql`<`, le: sql`<=`, gt: sql`>`, ge: sql`>=` } as const;

/**
 * An absent field is '' and sorts before everything: `lt` and `le` exclude it, since a comparison
 * with null is false.
 */
function compare(
  column: RawBuilder<unknown>,
  operator: Exclude<ComparisonOperator, 'eq'>,
  value: string,
): RawBuilder<unknown> {
  const comparison = sql`${column} ${sqlOperators[operator]} ${value}`;
  return operator === 'lt' || operator === 'le'
    ? sql`(${comparison} and ${column} <> '')`
    : comparison;
}

/**
 * Stored texts start with a marker of one character. An absent text contains nothing, not even the
 * empty text.
 */
function stringCondition(
  column: RawBuilder<unknown>,
  name: StringFunction,
  text: string,
): RawBuilder<unknown> {
  const length = [...text].length;
  if (text === '') return sql`${column} <> ''`;
  if (name === 'startsWith') return sql`substr(${column}, 1, ${length + 1}) = ${textPrefix + text}`;
  if (name === 'endsWith')
    return sql`(length(${column}) > ${length} and substr(${column}, length(${column}) + ${1 - length}) = ${text})`;
  return sql`replace(substr(${column}, 2), ${text}, '') <> substr(${column}, 2)`;
}

/**
 * A literal in the stored form of the compared field; '' for null.
 *
 * @throws QuerySyntaxError when it does not fit.
 */
function storedLiteral({ kind, text, position }: Token, field: Field): string {
  if (kind === 'word' && text === 'null') return '';
  const [value, expected] = literalReaders[field.kind](kind, text);
  if (value !== undefined) return value;
  throw new QuerySyntaxError(
    'filter',
    position,
    `"${fieldName(field)}" is compared with ${expected}, not ${JSON.stringify(text)}`,
  );
}

type LiteralReader = (
  kind: Token['kind'],
  text: string,
) => readonly [value: string | undefined, expected: string];

const readNumber: LiteralReader = (kind, text) => [
  kind === 'number' ? decimalKeyIfValid(text) : undefined,
  'a number',
];

const literalReaders: Readonly<Record<Field['kind'], LiteralReader>> = {
  text: (kind, text) => [kind === 'string' ? textPrefix + text : undefined, 'a text in quotes'],
  boolean: (kind, text) => [
    kind === 'word' ? (text === 'true' ? '1' : '0') : undefined,
    'true or false',
  ],
  date: (kind, text) => [
    kind === 'date' || kind === 'string' ? dateKey(text) : undefined,
    'a date, such as 2026-01-31 or 2026-01-31T12:00:00Z',
  ],
  number: readNumber,
  integer: readNumber,
};

function decimalKeyIfValid(text: string): string | undefined {
  try {
    return decimalKey(text);
  } catch {
    return undefined; // out of range: no transaction can have this number
  }
}

function fieldName(field: Field): string {
  return field.path.at(-1) ?? '';
}
