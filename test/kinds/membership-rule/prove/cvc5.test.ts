import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { RuleProver } from '../../../../kinds/membership-rule/prove/index.js';
import { parseMembershipRule } from '../../../../kinds/membership-rule/index.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');
/** The folder with cvc5's Python package, for PYTHONPATH; `npm run test:long` installs it. */
const library = process.env['CASTELLAN_CVC5'];
const script = join(__dirname, 'smt-answers.py');

/** A condition in both languages. */
interface Condition {
  readonly rule: string;
  readonly smt: string;
}

const names = ['department', 'city', 'jobTitle'] as const;
const name = fc.constantFrom(...names);
const constant = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 })
  .map((letters) => letters.join(''));

/** Comparisons of a value that is there, by operator. */
const comparisons: Readonly<Record<string, (attribute: string, text: string) => string>> = {
  '-eq': (attribute, text) => `(= ${attribute} "${text}")`,
  '-startsWith': (attribute, text) => `(str.prefixof "${text}" ${attribute})`,
  '-endsWith': (attribute, text) => `(str.suffixof "${text}" ${attribute})`,
  '-contains': (attribute, text) => `(str.contains ${attribute} "${text}")`,
};
const negatives: Readonly<Record<string, string>> = {
  '-ne': '-eq',
  '-notStartsWith': '-startsWith',
  '-notEndsWith': '-endsWith',
  '-notContains': '-contains',
};

function condition(attribute: string, operator: string, text: string): Condition {
  const positive = negatives[operator] ?? operator;
  const comparison = comparisons[positive]?.(attribute, text) ?? 'false';
  const smt = `(and (not no-${attribute}) ${comparison})`;
  return {
    rule: `user.${attribute} ${operator} "${text}"`,
    smt: positive === operator ? smt : `(not ${smt})`,
  };
}

/** Patterns in both languages. */
const patterns: readonly (readonly [string, string])[] = [
  ['^a', '(re.++ (str.to_re "a") re.all)'],
  ['b$', '(re.++ re.all (str.to_re "b"))'],
  ['^[ab]+$', '(re.+ (re.union (str.to_re "a") (str.to_re "b")))'],
  ['^.{3}$', '(re.++ re.allchar re.allchar re.allchar)'],
  ['a.c', '(re.++ re.all (str.to_re "a") re.allchar (str.to_re "c") re.all)'],
  ['^(ab)*$', '(re.* (str.to_re "ab"))'],
];

const simpleConditions = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(name, fc.constantFrom(...Object.keys({ ...comparisons, ...negatives })), constant)
      .map((parts) => condition(...parts)),
  },
  fc
    .tuple(name, fc.constantFrom(...patterns))
    .map(([attribute, [pattern, language]]): Condition => ({
      rule: `user.${attribute} -match "${pattern}"`,
      smt: `(and (not no-${attribute}) (str.in_re ${attribute} ${language}))`,
    })),
  name.map((attribute): Condition => {
    return { rule: `user.${attribute} -eq null`, smt: `no-${attribute}` };
  }),
);
const { conditions } = fc.letrec<{ conditions: Condition }>((tie) => ({
  conditions: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    simpleConditions,
    fc
      .tuple(tie('conditions'), fc.constantFrom('and', 'or'), tie('conditions'))
      .map(([one, join, other]): Condition => ({
        rule: `(${one.rule}) -${join} (${other.rule})`,
        smt: `(${join} ${one.smt} ${other.smt})`,
      })),
    tie('conditions').map((inner): Condition => {
      return { rule: `-not (${inner.rule})`, smt: `(not ${inner.smt})` };
    }),
  ),
}));

/**
 * Declares the attributes. Texts have one letter from a to z or more: no capitals, because rules
 * ignore case and SMT does not, and no empty text, which `-eq null` selects, too.
 */
const declarations = names
  .map(
    (each) =>
      `(declare-const no-${each} Bool)(declare-const ${each} String)` +
      `(assert (str.in_re ${each} (re.+ (re.range "a" "z"))))`,
  )
  .join('');

function question(after: Condition, before: Condition): string {
  return `(set-logic ALL)${declarations}(assert (and ${after.smt} (not ${before.smt})))(check-sat)`;
}

function ruleOf({ rule }: Condition) {
  const parsed = parseMembershipRule(rule);
  if (parsed.rule === undefined) throw new Error(`${rule}: ${parsed.error.message}`);
  return parsed.rule;
}

test.skipIf(library === undefined)(
  'the proof of rules agrees with cvc5 where that has an answer',
  () => {
    const pairs = fc.sample(fc.tuple(conditions, conditions), {
      numRuns: runs(200),
      seed: Number(process.env['CASTELLAN_PROPERTY_SEED'] ?? 20_261),
    });
    const solverRun = spawnSync('python3', [script], {
      input: JSON.stringify(pairs.map(([after, before]) => question(after, before))),
      encoding: 'utf8',
      maxBuffer: 1e8,
      env: { ...process.env, PYTHONPATH: library },
    });
    expect(solverRun.stderr).toBe('');
    const answers = JSON.parse(solverRun.stdout) as readonly string[];
    const count: Record<string, number> = {};
    pairs.forEach(([after, before], index) => {
      const { verdict } = new RuleProver({ now }).findOnlyIn(ruleOf(after), ruleOf(before));
      const answer = answers[index] ?? '';
      count[`${verdict} ${answer}`] = (count[`${verdict} ${answer}`] ?? 0) + 1;
      const change = `${before.rule} => ${after.rule}`;
      if (answer === 'sat') expect(verdict, change).toBe('some');
      else if (answer === 'unsat') expect(verdict, change).not.toBe('some');
      else expect(answer).toMatch(/^unknown/);
    });
    expect(count['some sat']).toBeGreaterThan(runs(200) / 4);
    expect(count['none unsat']).toBeGreaterThan(runs(200) / 50);
  },
  600_000,
);
