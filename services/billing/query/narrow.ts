import type { Filter, TextTest } from './ast.js';

/** The texts that a column holds, in stored form; undefined where they are too many to know. */
export type KnownTexts = (column: string) => ReadonlySet<string> | undefined;

/** What is left of a filter: a simpler one, or that it holds for every transaction or for none. */
export type Narrowed = Filter | 'all' | 'none';

/**
 * Answers as much of a filter as the known texts of the columns can: a text that no transaction has is found in none, without a look
 * at any of them; a test of texts becomes the list of those that pass.
 */
export function narrowFilter(filter: Filter, known: KnownTexts): Narrowed {
  switch (filter.kind) {
    case 'not': {
      const operand = narrowFilter(filter.operand, known);
      return operand === 'all' ? 'none' : operand === 'none' ? 'all' : { kind: 'not', operand };
    }
    case 'and':
      return combine('and', filter.operands, known);
    case 'or':
      return combine('or', filter.operands, known);
    case 'compare': {
      if (filter.value === '' || known(filter.field.column)?.has(filter.value) !== false) return filter;
      return filter.operator === 'eq' ? 'none' : filter.operator === 'ne' ? 'all' : filter;
    }
    case 'in': {
      const texts = known(filter.field.column);
      if (texts === undefined) return filter;
      return listed(
        filter,
        filter.values.filter((value) => value === '' || texts.has(value)),
      );
    }
    case 'test': {
      const texts = known(filter.field.column);
      // The empty text is in every text that is there at all.
      if (texts === undefined || filter.text === '') return filter;
      return listed(
        filter,
        [...texts].filter((stored) => passes[filter.test](stored.slice(1), filter.text)),
      );
    }
  }
}

const passes: Readonly<Record<TextTest, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
};

function listed({ field }: Extract<Filter, { kind: 'in' | 'test' }>, values: readonly string[]): Narrowed {
  const [first] = values;
  if (first === undefined) return 'none';
  return values.length === 1 ? { kind: 'compare', field, operator: 'eq', value: first } : { kind: 'in', field, values };
}

function combine(kind: 'and' | 'or', operands: readonly Filter[], known: KnownTexts): Narrowed {
  const [decides, changesNothing] = kind === 'and' ? (['none', 'all'] as const) : (['all', 'none'] as const);
  const left: Filter[] = [];
  for (const operand of operands) {
    const narrowed = narrowFilter(operand, known);
    if (narrowed === decides) return decides;
    if (narrowed !== changesNothing) left.push(narrowed as Filter);
  }
  const [only] = left;
  if (only === undefined) return changesNothing;
  return left.length === 1 ? only : { kind, operands: left };
}
