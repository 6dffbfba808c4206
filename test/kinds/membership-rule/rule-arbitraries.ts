import fc from 'fast-check';

const textProperties = [
  'department',
  'city',
  'jobTitle',
  'mail',
  'displayName',
  'extensionAttribute3',
];
const shortText = fc.string({
  maxLength: 6,
  unit: fc.constantFrom('a', 'B', ' ', '"', '`', "'", '(', '\u00e9'),
});
const quotedText = shortText.map((value) => `"${value.replace(/["`]/g, '`$&')}"`);
/** The operators that compare texts. */
export const textOperator = fc.constantFrom(
  '-eq',
  '-ne',
  '-startsWith',
  '-notStartsWith',
  '-endsWith',
  '-notEndsWith',
  '-contains',
  '-notContains',
);
const operator = fc.oneof({ weight: 8, arbitrary: textOperator }, fc.constant('-EQ'));

const comparison = fc.oneof(
  fc
    .tuple(fc.constantFrom(...textProperties), operator, quotedText)
    .map(([name, op, value]) => `user.${name} ${op} ${value}`),
  fc
    .tuple(
      fc.constantFrom(...textProperties),
      fc.constantFrom('-in', '-notIn'),
      fc.array(quotedText, { minLength: 1, maxLength: 3 }),
    )
    .map(([name, op, values]) => `user.${name} ${op} [${values.join(', ')}]`),
  fc
    .tuple(fc.constantFrom(...textProperties), fc.constantFrom('-eq', '-ne'))
    .map(([name, op]) => `user.${name} ${op} null`),
  fc
    .tuple(fc.constantFrom('-eq', '-ne'), fc.boolean())
    .map(([op, value]) => `user.accountEnabled ${op} ${value}`),
  fc
    .tuple(fc.constantFrom('-any', '-all'), operator, quotedText)
    .map(([quantifier, op, value]) => `user.otherMails ${quantifier} (_ ${op} ${value})`),
  fc
    .tuple(
      fc.constantFrom('-le', '-ge'),
      fc.constantFrom('-plus', '-minus'),
      fc.constantFrom('p30d', 'p1y2m', 'pt12h'),
    )
    .map(([op, sign, duration]) => `user.employeeHireDate ${op} system.now ${sign} ${duration}`),
);

/** Rules of comparisons, joined by `-and` and `-or`, and negated. */
export function combinedRules(
  comparisons: fc.Arbitrary<string>,
  maxDepth: number,
): fc.Arbitrary<string> {
  return fc.letrec<{ rule: string }>((tie) => ({
    rule: fc.oneof(
      { maxDepth, withCrossShrink: true },
      comparisons,
      fc
        .tuple(tie('rule'), fc.constantFrom('-and', '-or'), tie('rule'))
        .map(([left, join, right]) => `(${left}) ${join} (${right})`),
      tie('rule').map((inner) => `-not (${inner})`),
    ),
  })).rule;
}

function nestedRules(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    combinedRules(inner, 1),
    fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a}) -and (${b}) -or (${c})`),
  );
}

/** Texts of valid rules about users. */
export const anyRule = nestedRules(nestedRules(nestedRules(comparison)));
