import fc from 'fast-check';
import { analyzeRule } from '../../../../kinds/membership-rule/prove/index.js';
import { parseMembershipRule } from '../../../../kinds/membership-rule/index.js';
import {
  compileMembershipRule,
  type EvaluatedObject,
} from '../../../../services/directory/membership-rule/index.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');
const names = ['department', 'city', 'jobTitle', 'companyName', 'state'] as const;
const values = [null, 'Aa', 'aab', 'b'];

/** Everybody whom comparisons of these properties can tell apart. */
const people = names
  .reduce<readonly object[]>(
    (some, name) => some.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  )
  .flatMap((body) =>
    [true, false].map((accountEnabled): EvaluatedObject => {
      return { id: 'someone', body: { ...body, accountEnabled } };
    }),
  );

type Tree = string | { readonly join: '-and' | '-or'; readonly parts: readonly Tree[] };

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
const tree = fc
  .tuple(
    fc.shuffledSubarray([...names, 'accountEnabled'], { minLength: 1 }),
    fc.array(operator, { minLength: 6, maxLength: 6 }),
    // Whether to join by `-and`, whether to negate the comparison, and where to join
    fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat(5)), { minLength: 6, maxLength: 6 }),
  )
  .map(([some, operators, joints]): Tree => {
    const leaves = some.map((name, index): Tree => {
      const clause = name === 'accountEnabled' ? '-eq true' : (operators[index] ?? '-eq "aa"');
      const text = `user.${name} ${clause}`;
      return joints[index]?.[1] === true ? `-not (${text})` : text;
    });
    while (leaves.length > 1) {
      const [isAnd = true, , place = 0] = joints[leaves.length - 1] ?? [];
      const at = place % (leaves.length - 1);
      leaves.splice(at, 2, { join: isAnd ? '-and' : '-or', parts: leaves.slice(at, at + 2) });
    }
    return leaves[0] ?? '';
  });

function textOf(node: Tree): string {
  return typeof node === 'string' ? node : `(${node.parts.map(textOf).join(` ${node.join} `)})`;
}

/** The rule without one of its parts, for each part. */
function shorter(node: Tree): readonly Tree[] {
  if (typeof node === 'string') return [];
  const [left, right] = node.parts as readonly [Tree, Tree];
  return [
    left,
    right,
    ...shorter(left).map((part): Tree => ({ ...node, parts: [part, right] })),
    ...shorter(right).map((part): Tree => ({ ...node, parts: [left, part] })),
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
      fc.property(tree, (whole) => {
        const text = textOf(whole);
        const { rule } = parseMembershipRule(text);
        if (rule === undefined) throw new Error(text);
        expect(analyzeRule(rule, { now })).toEqual({ verdict: 'some', why: [], withoutEffect: [] });
        const selected = selectionBy(text);
        expect(new Set(selected).size, text).toBe(2);
        for (const part of shorter(whole))
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
