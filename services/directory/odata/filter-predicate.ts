import { parseInstant } from '../../../core/values/instant.js';
import type {
  ComparisonOperator,
  FilterNode,
  Literal,
  PropertyPath,
  StringFunction,
} from './filter-parser.js';

/** An object of the directory, in the API's property names. */
export type ODataObject = Readonly<Record<string, unknown>>;

/** The number of an object's references, for `owners/$count`. */
export type CountRelated = (object: ODataObject, relationship: string) => number;

/** @param element the element of a collection that a lambda's variable stands for. */
type Predicate = (object: ODataObject, element: unknown) => boolean;
type ReadValue = (object: ODataObject, element: unknown) => unknown;

/**
 * The test of a filter on objects in memory. Its results equal those of the SQL that
 * compile-filter.ts makes; a test compares them.
 */
export function filterPredicate(
  node: FilterNode,
  count: CountRelated = () => 0,
): (object: ODataObject) => boolean {
  const predicate = compile(node, count);
  return (object) => predicate(object, undefined);
}

function compile(node: FilterNode, count: CountRelated): Predicate {
  switch (node.kind) {
    case 'and': {
      const operands = node.operands.map((operand) => compile(operand, count));
      return (object, element) => operands.every((operand) => operand(object, element));
    }
    case 'or': {
      const operands = node.operands.map((operand) => compile(operand, count));
      return (object, element) => operands.some((operand) => operand(object, element));
    }
    case 'not': {
      const operand = compile(node.operand, count);
      return (object, element) => !operand(object, element);
    }
    case 'compare': {
      const read = valueReader(node.path);
      const test = valueTest(node.operator, node.value);
      return (object, element) => test(read(object, element));
    }
    case 'in': {
      const read = valueReader(node.path);
      const tests = node.values.map((value) => valueTest('eq', value));
      return (object, element) => {
        const value = read(object, element);
        return tests.some((test) => test(value));
      };
    }
    case 'function': {
      const read = valueReader(node.path);
      const expected = foldCase(node.value);
      return (object, element) => {
        const value = read(object, element);
        return typeof value === 'string' && stringTests[node.name](foldCase(value), expected);
      };
    }
    case 'any': {
      const read = valueReader(node.path);
      const predicate = node.predicate ? compile(node.predicate, count) : () => true;
      return (object, element) => {
        const values = read(object, element);
        return Array.isArray(values) && values.some((value) => predicate(object, value));
      };
    }
    case 'count': {
      const name = node.path.segments.join('/');
      const read = valueReader(node.path);
      return (object, element) => {
        const values = read(object, element);
        return satisfies(
          node.operator,
          (Array.isArray(values) ? values.length : count(object, name)) - node.value,
        );
      };
    }
  }
}

/**
 * Makes the test of one value. Null and a missing value are the same: they satisfy `eq null`, and
 * `ne` of every other value, as a value of another type does.
 */
function valueTest(operator: ComparisonOperator, literal: Literal): (value: unknown) => boolean {
  const resultWithoutValue = operator === 'ne';
  switch (literal.type) {
    case 'null':
      return (value) =>
        satisfies(operator, (value ?? null) === null ? 0 : 1) &&
        (operator === 'eq' || operator === 'ne');
    case 'number':
      return (value) =>
        typeof value === 'number' ? satisfies(operator, value - literal.value) : resultWithoutValue;
    case 'boolean':
      return (value) =>
        typeof value === 'boolean'
          ? satisfies(operator, Number(value) - Number(literal.value))
          : resultWithoutValue;
    case 'date': {
      const expected = parseInstant(literal.value);
      return (value) => {
        const time = typeof value === 'string' ? parseInstant(value) : Number.NaN;
        return Number.isNaN(time) ? resultWithoutValue : satisfies(operator, time - expected);
      };
    }
    default: {
      const target = foldCase(literal.value);
      return (value) =>
        typeof value === 'string'
          ? satisfies(operator, compareText(foldCase(value), target))
          : resultWithoutValue;
    }
  }
}

function valueReader(path: PropertyPath): ReadValue {
  const { segments } = path;
  const descend = (start: unknown): unknown =>
    segments.reduce<unknown>((value, segment) => propertyValue(value, segment), start);
  return path.variable === undefined
    ? (object) => descend(object)
    : (_object, element) => descend(element);
}

function propertyValue(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as ODataObject)[name]
    : undefined;
}

/**
 * The form in which strings are compared, without letter case. SQL folds in the same way (see
 * `foldSql` in sql-operand.ts).
 */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/**
 * Compares two strings by code points, as databases compare UTF-8 bytes; JavaScript's own order
 * differs above U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    if (isSurrogate(left) === isSurrogate(right)) return left - right;
    return isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

/**
 * Whether an operator holds.
 *
 * @param order the compared values: negative if the first is smaller, zero if they are equal.
 */
function satisfies(operator: ComparisonOperator, order: number): boolean {
  return orderTests[operator](order);
}

const orderTests: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

const stringTests: Readonly<Record<StringFunction, (value: string, part: string) => boolean>> = {
  startsWith: (value, part) => value.startsWith(part),
  endsWith: (value, part) => value.endsWith(part),
  contains: (value, part) => value.includes(part),
};

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
