import fc from 'fast-check';
import { RuleProver } from '../../../../kinds/membership-rule/prove/index.js';
import {
  type MembershipRule,
  parseMembershipRule,
} from '../../../../kinds/membership-rule/index.js';
import {
  compileMembershipRule,
  type EvaluatedObject,
} from '../../../../services/directory/membership-rule/index.js';
import { combinedRules, textOperator } from '../rule-arbitraries.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');

/** All texts of one to three letters of the alphabet a, b. */
const words = 'a b aa ab ba bb aaa aab aba abb baa bab bba bbb'.split(' ');
const texts = [null, ...words, 'c'];
const collections = [[], ['a'], ['b'], ['ab'], ['a', 'b'], ['ab', 'ba'], undefined];
const plans = [
  undefined,
  [{ service: 'a', capabilityStatus: 'b' }],
  [{ service: 'a' }, { capabilityStatus: 'b' }],
];
const dates = [null, '2026-01-01T00:00:00Z', '2026-03-31T12:00:00Z', '2026-12-01T00:00:00Z'];

/** Everybody whom small rules can tell apart, and more. */
const people: EvaluatedObject[] = [
  ...texts.flatMap((department) =>
    texts.flatMap((city) =>
      [true, false].map((accountEnabled) => ({ department, city, accountEnabled })),
    ),
  ),
  ...texts.flatMap((department) =>
    collections.flatMap((otherMails) =>
      [true, false].map((accountEnabled) => ({ department, otherMails, accountEnabled })),
    ),
  ),
  ...texts.flatMap((department) =>
    plans.flatMap((assignedPlans) =>
      dates.map((employeeHireDate) => ({ department, assignedPlans, employeeHireDate })),
    ),
  ),
].map((body) => ({ id: 'someone', body: { accountEnabled: true, ...body } }));

const constant = fc.constantFrom('a', 'B', 'ab', 'ba', 'aa', 'Bb', 'aba', 'c');
const pattern = fc.constantFrom(
  'a',
  '^a',
  'b$',
  '^ab?$',
  '^(a|b)+$',
  'a.b',
  '[^a]',
  '^[ab]{2}$',
  'a|^b',
  '^a*$',
  '(a|b$)',
);
const property = fc.constantFrom('department', 'city');

const comparison = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(property, textOperator, constant).map(comparisonText) },
  fc
    .tuple(property, fc.constantFrom('-match', '-notMatch'), pattern)
    .map(([name, op, text]) => `user.${name} ${op} "${text}"`),
  fc
    .tuple(
      property,
      fc.constantFrom('-in', '-notIn'),
      fc.array(constant, { minLength: 1, maxLength: 3 }),
    )
    .map(([name, op, list]) => `user.${name} ${op} [${list.map((each) => `"${each}"`).join()}]`),
  fc.tuple(property, fc.constantFrom('-eq', '-ne')).map(([name, op]) => `user.${name} ${op} null`),
  fc
    .tuple(fc.constantFrom('-eq', '-ne'), fc.boolean())
    .map(([op, value]) => `user.accountEnabled ${op} ${String(value)}`),
  fc
    .tuple(fc.constantFrom('-any', '-all'), textOperator, constant)
    .map(([quantifier, op, text]) => `user.otherMails ${quantifier} (_ ${op} "${text}")`),
  fc
    .tuple(fc.constantFrom('-any', '-all'), fc.constantFrom('-and', '-or'), textOperator)
    .map(
      ([quantifier, join, op]) =>
        `user.assignedPlans ${quantifier} (assignedPlan.service ${op} "a" ${join} assignedPlan.capabilityStatus -eq "b")`,
    ),
  fc
    .tuple(
      fc.constantFrom('-eq', '-ne', '-le', '-ge'),
      fc.constantFrom('"2026-01-01"', 'system.now', 'system.now -plus p30d', 'null'),
    )
    .map(([op, date]) =>
      date === 'null'
        ? `user.employeeHireDate -${op.length > 2 && op === '-ne' ? 'ne' : 'eq'} null`
        : `user.employeeHireDate ${op} ${date}`,
    ),
);

function comparisonText([name, op, text]: readonly [string, string, string]): string {
  return `user.${name} ${op} "${text}"`;
}

const anyRule = combinedRules(comparison, 2).map((text) => {
  const { rule, error } = parseMembershipRule(text);
  if (rule === undefined) throw new Error(`${text}: ${error.message}`);
  return rule;
});

function selectionsOf(rule: MembershipRule): boolean[] {
  const compiled = compileMembershipRule(rule);
  return people.map((person) => compiled.matches(person, { now }));
}

describe('the proof of membership rules', () => {
  it('agrees with trying all small people, for pairs of random rules', () => {
    let someCount = 0;
    let noneCount = 0;
    fc.assert(
      fc.property(anyRule, anyRule, (before, after) => {
        const [selectedBefore, selectedAfter] = [selectionsOf(before), selectionsOf(after)];
        const prover = new RuleProver({ now });
        const gain = prover.findOnlyIn(after, before);
        const hasGain = selectedAfter.some(
          (each, index) => each && selectedBefore[index] === false,
        );
        if (hasGain) expect(gain.verdict, `${before.text} => ${after.text}`).toBe('some');
        if (gain.verdict === 'none') noneCount++;
        if (gain.verdict === 'some') someCount++;
        const common = prover.findInBoth(before, after);
        const overlaps = selectedAfter.some(
          (each, index) => each && selectedBefore[index] === true,
        );
        if (overlaps) expect(common.verdict, `${before.text} & ${after.text}`).toBe('some');
      }),
      { numRuns: runs(500) },
    );
    expect(someCount).toBeGreaterThan(runs(500) / 4);
    expect(noneCount).toBeGreaterThan(runs(500) / 50);
  });
});
