import fc from 'fast-check';
import { analyzeRule } from '../../../../kinds/membership-rule/prove/index.js';
import { parseMembershipRule } from '../../../../kinds/membership-rule/index.js';
import {
  compileMembershipRule,
  type EvaluatedObject,
} from '../../../../services/directory/membership-rule/index.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');
const properties = ['department', 'city', 'jobTitle', 'companyName', 'state'] as const;
const values = [null, 'Aa', 'aab', 'b'];

/** Everybody whom comparisons of these properties can tell apart. */
const people = properties
  .reduce<readonly object[]>(
    (bodies, name) => bodies.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  )
  .flatMap((body) =>
    [true, false].map((accountEnabled): EvaluatedObject => {
      return { id: 'someone', body: { ...body, accountEnabled } };
    }),
  );

type RuleTree = string | { readonly join: '-and' | '-or'; readonly parts: readonly RuleTree[] };

const operator = fc.constantFrom(
  '-eq "aa"',
  '-ne "AA"',
  '-startsWith "a"',
  '-notEndsWith "B"',
  '-contains "b"',
  '-in ["aa","x"]',
  '-notIn ["b"]',
);

/** A rule that compares each property once. */
const ruleTree = fc
  .tuple(
    fc.shuffledSubarray([...properties, 'accountEnabled'], { minLength: 1 }),
    fc.array(operator, { minLength: 6, maxLength: 6 }),
    // Whether to join by `-and`, whether to negate the comparison, and where to join
    fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat(5)), { minLength: 6, maxLength: 6 }),
  )
  .map(([comparedProperties, operators, joints]): RuleTree => {
    const leaves = comparedProperties.map((name, index): RuleTree => {
      const clause = name === 'accountEnabled' ? '-eq true' : (operators[index] ?? '-eq "aa"');
      const text = `user.${name} ${clause}`;
      return joints[index]?.[1] === true ? `-not (${text})` : text;
    });
    while (leaves.length > 1) {
      const [isAnd = true, , place = 0] = joints[leaves.length - 1] ?? [];
      const index = place % (leaves.length - 1);
      leaves.splice(index, 2, {
        join: isAnd ? '-and' : '-or',
        parts: leaves.slice(index, index + 2),
      });
    }
    return leaves[0] ?? '';
  });

function textOf(node: RuleTree): string {
  return typeof node === 'string' ? node : `(${node.parts.map(textOf).join(` ${node.join} `)})`;
}

/** The rule without one of its parts, for each part. */
function withoutOnePart(node: RuleTree): readonly RuleTree[] {
  if (typeof node === 'string') return [];
  const [left, right] = node.parts as readonly [RuleTree, RuleTree];
  return [
    left,
    right,
    ...withoutOnePart(left).map((part): RuleTree => ({ ...node, parts: [part, right] })),
    ...withoutOnePart(right).map((part): RuleTree => ({ ...node, parts: [left, part] })),
  ];
}

/** For each of the people, whether the rule selects the person. */
function selectionBy(text: string): readonly boolean[] {
  const { rule, error } = parseMembershipRule(text);
  if (rule === undefined) throw new Error(`${text}: ${error.message}`);
  const compiled = compileMembershipRule(rule);
  return people.map((person) => compiled.matches(person, { now }));
}

describe('a rule that compares each property once', () => {
  it('selects some, and none of its parts is without effect, as trying all people shows', () => {
    fc.assert(
      fc.property(ruleTree, (whole) => {
        const text = textOf(whole);
        const { rule } = parseMembershipRule(text);
        if (rule === undefined) throw new Error(text);
        expect(analyzeRule(rule, { now })).toEqual({ verdict: 'some', why: [], withoutEffect: [] });
        const selected = selectionBy(text);
        expect(new Set(selected).size, text).toBe(2);
        for (const part of withoutOnePart(whole))
          expect(selectionBy(textOf(part)), text).not.toEqual(selected);
      }),
      { numRuns: runs(100), seed: 32 },
    );
  });

  it.each([
    ['user.department -in [""]', 'unknown'],
    ['user.department -notIn [""]', 'unknown'],
    ['user.displayName -in [""]', 'never'],
    ['user.displayName -in [""] -or user.city -eq "A"', 'some'],
  ])('may select nobody if a list holds only the empty text: %s', (text, verdict) => {
    const { rule, error } = parseMembershipRule(text);
    if (rule === undefined) throw new Error(error.message);
    expect(analyzeRule(rule, { now }).verdict).toBe(verdict);
  });
});
