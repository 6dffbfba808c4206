import fc from 'fast-check';
import type { FilterNode, Literal } from '../../../../services/directory/odata/index.js';

const position = 0;
const names = ['displayName', 'department', 'mail'] as const;
const words = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'Sales', 'sales', "O'Neil", 'ÄÖ', 'äö', 'x%y', 'a_b', '100', 'é'),
  fc.string({
    maxLength: 4,
    unit: fc.constantFrom('a', 'B', 'é', 'É', ' ', "'", '%', '_', '~', '\u{1f600}', '\uff5e'),
  }),
);
const textLiteral = words.map((value): Literal => ({ type: 'string', value }));
const dateLiteral = fc
  .constantFrom(
    '2026-01-01T00:00:00Z',
    '2026-01-01T01:00:00+01:00',
    '2025-12-31T23:59:59.5Z',
    '2027-06-01',
  )
  .map((value): Literal => ({ type: 'date', value }));
const numberLiteral = fc
  .integer({ min: -3, max: 3 })
  .map((value): Literal => ({ type: 'number', value }));
const booleanLiteral = fc.boolean().map((value): Literal => ({ type: 'boolean', value }));
const nullLiteral = fc.constant<Literal>({ type: 'null', value: null });
const operators = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
const equality = fc.constantFrom('eq', 'ne');

/** Comparisons of values with properties of the fitting type. */
function leaves(variable: string | undefined): fc.Arbitrary<FilterNode> {
  const pathOf = (name: string): { segments: string[]; position: number; variable?: string } =>
    variable === undefined ? { segments: [name], position } : { segments: [], variable, position };
  const name = fc.constantFrom(...names);
  const strings: fc.Arbitrary<FilterNode>[] = [
    fc.record({
      kind: fc.constant('compare' as const),
      operator: operators,
      path: name.map(pathOf),
      value: textLiteral,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      path: name.map(pathOf),
      values: fc.array(textLiteral, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('function' as const),
      name: fc.constantFrom('startsWith', 'endsWith', 'contains'),
      path: name.map(pathOf),
      value: words,
    }),
  ];
  if (variable !== undefined) return fc.oneof(...strings);
  return fc.oneof(
    ...strings,
    fc.record({
      kind: fc.constant('compare' as const),
      operator: equality,
      path: name.map(pathOf),
      value: nullLiteral,
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: operators,
      path: fc.constant(pathOf('createdDateTime')),
      value: dateLiteral,
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: operators,
      path: fc.constant(pathOf('level')),
      value: numberLiteral,
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: equality,
      path: fc.constant(pathOf('enabled')),
      value: booleanLiteral,
    }),
    fc.record({
      kind: fc.constant('any' as const),
      path: fc.constant(pathOf('tags')),
      variable: fc.constant('x'),
      predicate: trees(leaves('x'), 1),
    }),
    fc.constant<FilterNode>({ kind: 'any', path: pathOf('tags') }),
    fc.record({
      kind: fc.constant('count' as const),
      operator: equality,
      path: fc.constant(pathOf('tags')),
      value: fc.constantFrom(0, 1),
    }),
  );
}

function trees(leaf: fc.Arbitrary<FilterNode>, depth: number): fc.Arbitrary<FilterNode> {
  if (depth === 0) return leaf;
  const inner = trees(leaf, depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    fc.record({
      kind: fc.constant('not' as const),
      operand: inner,
      position: fc.constant(position),
    }),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(inner, { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, operands]): FilterNode => ({
        kind,
        operands: operands.flatMap((operand) =>
          operand.kind === kind ? operand.operands : [operand],
        ),
      })),
  );
}

/** Filters over the properties of {@link anyObject}. */
export const anyFilter = trees(leaves(undefined), 3);

/** Objects with some properties missing or null. */
export const anyObject = fc.record(
  {
    displayName: fc.option(words),
    department: fc.option(words),
    mail: fc.option(words),
    createdDateTime: fc.option(
      fc.constantFrom(
        '2026-01-01T00:00:00Z',
        '2026-01-01T00:00:00.000Z',
        '2025-12-31T23:59:59.500Z',
        '2027-06-01T00:00:00Z',
      ),
    ),
    level: fc.option(fc.integer({ min: -3, max: 3 })),
    enabled: fc.option(fc.boolean()),
    tags: fc.array(words, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

/** A tree without the places of its parts, for comparing. */
export function withoutPositions(node: unknown): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) => (key === 'position' ? undefined : value)),
  );
}
