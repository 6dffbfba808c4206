import { transaction } from '../../../kinds/transaction/transaction.js';
import type { Token } from '../../common/filter/lexer.js';
import { parseFilter as parse } from '../../common/filter/parser.js';
import type { ComparisonOperator, FilterTree, PropertyPath, StringFunction } from '../../common/filter/tree.js';
import { QuerySyntaxError } from '../errors.js';
import { dateKey, decimalKey } from '../store/sort-keys.js';
import type { Field } from '../store/fields.js';
import { textMark } from '../store/transaction.js';
import type { FieldNames } from './field-names.js';

/** A filter that is understood: every field exists, every literal fits its field. Values are in stored form, '' for null. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'compare'; readonly field: Field; readonly operator: ComparisonOperator; readonly value: string }
  | { readonly kind: 'in'; readonly field: Field; readonly values: readonly string[] }
  | { readonly kind: 'function'; readonly field: Field; readonly name: StringFunction; readonly text: string };

const literals = new Set<Token['kind']>(['string', 'number', 'date', 'guid']);
const isLiteral = ({ kind, text }: Token): boolean => literals.has(kind) || (kind === 'word' && /^(true|false|null)$/.test(text));

/**
 * Parses `filter`: `eq ne lt le gt ge and or not ( ) in contains startswith endswith`; `or` binds least, `not` most.
 *
 * @throws QuerySyntaxError with the position of the first mistake.
 */
export function parseFilter(source: string, names: FieldNames): Filter {
  const { maxLength, maxDepth, maxTerms } = transaction.limits.filter;
  const fieldAt = (path: PropertyPath): Field => names.find('filter', path.segments.join('/'), path.position);
  const tree = parse<Token>(source, {
    // The whole and the last value count as levels, too.
    limits: { length: maxLength, depth: maxDepth + 2, clauses: maxTerms },
    fail: (reason, position) => new QuerySyntaxError('filter', position, reason),
    literal: (token) => (isLiteral(token) ? token : undefined),
    truth: (path) => (fieldAt(path).kind === 'boolean' ? { kind: 'word', text: 'true', position: path.position } : undefined),
  });
  return resolve(tree, fieldAt);
}

function resolve(node: FilterTree<Token>, fieldAt: (path: PropertyPath) => Field): Filter {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, operands: node.operands.map((operand) => resolve(operand, fieldAt)) };
    case 'not':
      return { kind: 'not', operand: resolve(node.operand, fieldAt) };
    case 'in': {
      const field = fieldAt(node.path);
      return { kind: 'in', field, values: node.values.map((value) => storedLiteral(value, field)) };
    }
    case 'function': {
      const field = fieldAt(node.path);
      if (field.kind === 'text') return { kind: 'function', field, name: node.name, text: node.value };
      throw new QuerySyntaxError('filter', node.path.position, `${node.name} needs a text field, which "${nameOf(field)}" is not`);
    }
    case 'compare': {
      const field = fieldAt(node.path);
      const value = storedLiteral(node.value, field);
      if (value === '' && node.operator !== 'eq' && node.operator !== 'ne')
        throw new QuerySyntaxError('filter', node.value.position, 'null can be compared with eq and ne only');
      return { kind: 'compare', field, operator: node.operator, value };
    }
    default:
      throw new Error(`the language of transactions has no ${node.kind}`);
  }
}

/** A literal in the stored form of the field that it is compared with; '' for null. @throws QuerySyntaxError when it doesn't fit. */
function storedLiteral({ kind, text, position }: Token, field: Field): string {
  if (kind === 'word' && text === 'null') return '';
  const [value, expected] = readers[field.kind](kind, text);
  if (value !== undefined) return value;
  throw new QuerySyntaxError('filter', position, `"${nameOf(field)}" is compared with ${expected}, not ${JSON.stringify(text)}`);
}

type Reader = (kind: Token['kind'], text: string) => readonly [value: string | undefined, expected: string];

const number: Reader = (kind, text) => [kind === 'number' ? keyOf(text) : undefined, 'a number'];

const readers: Readonly<Record<Field['kind'], Reader>> = {
  text: (kind, text) => [kind === 'string' ? textMark + text : undefined, 'a text in quotes'],
  boolean: (kind, text) => [kind === 'word' ? (text === 'true' ? '1' : '0') : undefined, 'true or false'],
  date: (kind, text) => [
    kind === 'date' || kind === 'string' ? dateKey(text) : undefined,
    'a date, such as 2026-01-31 or 2026-01-31T12:00:00Z',
  ],
  number,
  integer: number,
};

function keyOf(text: string): string | undefined {
  try {
    return decimalKey(text);
  } catch {
    return undefined; // out of range: no number that a transaction could have
  }
}

function nameOf(field: Field): string {
  return field.path.at(-1) ?? '';
}
