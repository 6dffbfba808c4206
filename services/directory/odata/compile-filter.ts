import { sql } from 'kysely';
import { parseInstant } from '../../../core/values/instant.js';
import type { Fragment } from '../store/sql.js';
import type {
  ComparisonOperator,
  FilterNode,
  Literal,
  PropertyPath,
  StringFunction,
} from './filter-parser.js';
import { foldCase } from './filter-predicate.js';
import { unsupportedClause } from './odata-error.js';
import {
  collateByCodePoint,
  foldSql,
  type JsonForm,
  jsonValue,
  type SqlMapping,
  type SqlOperand,
} from './sql-operand.js';

/** A SQL condition. */
type Condition = Fragment;

/**
 * The highest character, which ends the range of a prefix: an index on the folded text then serves
 * `startsWith`.
 */
const lastCharacter = '\u{10ffff}';

/**
 * Compiles a filter to a SQL condition that is true or false, never null within a negation, for
 * SQLite and PostgreSQL.
 *
 * @param resource the type's name in errors (`Group`).
 * @throws ODataError Request_UnsupportedQuery for a property without a column.
 */
export function compileFilter(node: FilterNode, mapping: SqlMapping, resource: string): Condition {
  return new FilterCompiler(mapping, resource).compile(node, undefined);
}

class FilterCompiler {
  constructor(
    private readonly mapping: SqlMapping,
    private readonly resource: string,
  ) {}

  /** @param element the JSON value of a lambda's variable. */
  compile(node: FilterNode, element: Fragment | undefined): Condition {
    switch (node.kind) {
      case 'and':
      case 'or': {
        const operands = node.operands.map((operand) => this.compile(operand, element));
        return sql`(${sql.join(operands, node.kind === 'and' ? sql` and ` : sql` or `)})`;
      }
      case 'not':
        return negate(this.compile(node.operand, element));
      case 'compare':
        return this.#compare(
          node.operator,
          node.value,
          this.#operand(node.path, element, jsonFormOf(node.value)),
        );
      case 'in': {
        const tests = node.values.map((value) =>
          this.#compare('eq', value, this.#operand(node.path, element, jsonFormOf(value))),
        );
        return this.#inList(node, element) ?? sql`(${sql.join(tests, sql` or `)})`;
      }
      case 'function':
        return this.#stringFunction(
          node.name,
          node.value,
          this.#operand(node.path, element, 'text'),
        );
      case 'any':
        return this.#any(node, element);
      case 'count':
        return sql`(${this.#count(node.path)} ${operators[node.operator]} ${node.value})`;
    }
  }

  #operand(path: PropertyPath, element: Fragment | undefined, form: JsonForm): SqlOperand {
    if (path.variable !== undefined && element)
      return { form, expression: this.#element(element, path.segments, form) };
    return this.mapping.operand(path.segments) ?? this.#unsupported(path);
  }

  /**
   * The value of a lambda's variable or of its property: SQLite's json_each returns scalars as they
   * are and objects as JSON text.
   */
  #element(element: Fragment, segments: readonly string[], form: JsonForm): Fragment {
    if (this.mapping.engine === 'sqlite' && segments.length === 0) return element;
    return jsonValue(this.mapping.engine, element, segments, form);
  }

  #compare(operator: ComparisonOperator, literal: Literal, operand: SqlOperand): Condition {
    if (operator === 'ne') return negate(this.#compare('eq', literal, operand));
    if (literal.type === 'null')
      return operator === 'eq' ? sql`(${operand.expression} is null)` : sql`(1 = 0)`;
    const [left, right] = this.#comparisonOperands(operand, literal);
    return sql`(${left} ${operators[operator]} ${right})`;
  }

  #comparisonOperands(operand: SqlOperand, literal: Literal): [Fragment, Fragment] {
    const { engine } = this.mapping;
    if (operand.form === 'boolean')
      return [operand.expression, this.#boolean(literal.value === true)];
    if (operand.form === 'number') return [operand.expression, sql`${Number(literal.value)}`];
    if (operand.form === 'date') return this.#instantOperands(operand, String(literal.value));
    const value = foldCase(String(literal.value));
    if (operand.form === 'folded') return [operand.expression, sql`${value}`];
    return [collateByCodePoint(engine, foldSql(engine, operand.expression)), sql`${value}`];
  }

  /** Compares instants in any precision and with any offset. */
  #instantOperands(operand: SqlOperand, text: string): [Fragment, Fragment] {
    const instant = parseInstant(text);
    if (this.mapping.engine === 'sqlite')
      return [sql`castellan_instant(${operand.expression})`, sql`${instant}`];
    const value = new Date(instant).toISOString();
    return [sql`(${operand.expression})::timestamptz`, sql`${value}::timestamptz`];
  }

  #inList(
    node: Extract<FilterNode, { kind: 'in' }>,
    element: Fragment | undefined,
  ): Condition | undefined {
    const operand = this.#operand(node.path, element, 'text');
    if (operand.form !== 'folded' || node.values.some(({ type }) => type === 'null'))
      return undefined;
    return sql`(${operand.expression} in (${sql.join(node.values.map(({ value }) => sql`${foldCase(String(value))}`))}))`;
  }

  #stringFunction(name: StringFunction, text: string, operand: SqlOperand): Condition {
    const value = foldCase(text);
    if (name === 'startsWith' && operand.form === 'folded')
      return sql`(${operand.expression} >= ${value} and ${operand.expression} < ${value + lastCharacter})`;
    const foldedSql =
      operand.form === 'folded'
        ? operand.expression
        : foldSql(this.mapping.engine, operand.expression);
    const pattern = escapeLike(value);
    const like = { startsWith: `${pattern}%`, endsWith: `%${pattern}`, contains: `%${pattern}%` }[
      name
    ];
    if (this.mapping.engine === 'postgres') return sql`(${foldedSql} like ${like} escape '~')`;
    // SQLite's LIKE stops at NUL and ignores case; substr and instr on folded text test exactly
    if (name === 'startsWith')
      return sql`(substr(${foldedSql}, 1, ${codePointCount(value)}) = ${value})`;
    if (name === 'contains') return sql`(instr(${foldedSql}, ${value}) > 0)`;
    return value === ''
      ? sql`(${foldedSql} is not null)`
      : sql`(substr(${foldedSql}, ${-codePointCount(value)}) = ${value})`;
  }

  #any(node: Extract<FilterNode, { kind: 'any' }>, outer: Fragment | undefined): Condition {
    const { expression } = this.#operand(node.path, outer, 'collection');
    const elements =
      this.mapping.engine === 'sqlite'
        ? sql`json_each(${expression}) as entry`
        : sql`jsonb_array_elements(case when jsonb_typeof(${expression}) = 'array' then ${expression} else '[]'::jsonb end) as entry(value)`;
    const predicate = node.predicate ? this.compile(node.predicate, sql`entry.value`) : sql`1 = 1`;
    return sql`exists (select 1 from ${elements} where ${predicate})`;
  }

  #count(path: PropertyPath): Fragment {
    const operand = this.mapping.operand(path.segments);
    if (operand?.form === 'collection')
      return this.mapping.engine === 'sqlite'
        ? sql`coalesce(json_array_length(${operand.expression}), 0)`
        : sql`coalesce(jsonb_array_length(${operand.expression}), 0)`;
    return this.mapping.count?.(path.segments.join('/')) ?? this.#unsupported(path);
  }

  #boolean(value: boolean): Fragment {
    return this.mapping.engine === 'sqlite' ? sql`${Number(value)}` : sql`${value}`;
  }

  #unsupported(path: PropertyPath): never {
    throw unsupportedClause(path.segments.join('/'), this.resource, path.position);
  }
}

const operators = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
} as const;

/** Negates a condition. SQL's null counts as false, so missing values satisfy every negation. */
function negate(condition: Condition): Condition {
  return sql`(${condition} is not true)`;
}

function jsonFormOf(literal: Literal): JsonForm {
  return literal.type === 'boolean' || literal.type === 'number' || literal.type === 'date'
    ? literal.type
    : 'text';
}

function escapeLike(text: string): string {
  return text.replace(/[%_~]/g, '~$&');
}

function codePointCount(text: string): number {
  return [...text].length;
}

/**
 * The indexed column from which a filter selects a range, such as the folded name in
 * `startsWith(displayName,'a')`: a list sorted by it reads only one page of rows, where any other
 * order has to find and sort the whole range.
 *
 * @returns undefined if there is no such range, or the filter selects single values, which are few.
 */
export function rangeOperand(
  filter: FilterNode | undefined,
  mapping: SqlMapping,
): SqlOperand | undefined {
  if (filter === undefined) return undefined;
  const clauses = filter.kind === 'and' ? filter.operands : [filter];
  const foldedOperand = (path: PropertyPath): SqlOperand | undefined => {
    const operand = path.variable === undefined ? mapping.operand(path.segments) : undefined;
    return operand?.form === 'folded' ? operand : undefined;
  };
  if (clauses.some((clause) => isEquality(clause) && foldedOperand(clause.path))) return undefined;
  return clauses
    .filter(isRange)
    .map(({ path }) => foldedOperand(path))
    .find((operand) => operand !== undefined);
}

type Clause<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;

function isEquality(node: FilterNode): node is Clause<'compare' | 'in'> {
  return node.kind === 'in' || (node.kind === 'compare' && node.operator === 'eq');
}

function isRange(node: FilterNode): node is Clause<'compare' | 'function'> {
  if (node.kind === 'function') return node.name === 'startsWith';
  return node.kind === 'compare' && ['gt', 'ge', 'lt', 'le'].includes(node.operator);
}
