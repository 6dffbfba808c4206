import fc from 'fast-check';
import { RuleProver } from '../../../../kinds/membership-rule/prove/index.js';
import { parseMembershipRule } from '../../../../kinds/membership-rule/index.js';
import { compileMembershipRule } from '../../../../services/directory/membership-rule/index.js';
import { combinedRules, textOperator } from '../rule-arbitraries.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');

/** Letters whose letter case is disputed, letters of two code units, and ordinary ones. */
const letters = [
  'a',
  'b',
  'A',
  'i',
  'k',
  's',
  '1',
  '_',
  '-',
  ' ',
  '.',
  'é',
  'É',
  'å',
  'Å',
  '٣',
  '😀',
  'ſ',
  'K',
  'İ',
  'ı',
  'i̇',
  'ß',
  'ẞ',
  'σ',
  'ς',
  'Σ',
  'µ',
  'μ',
  'ǅ',
  'Å',
];
const word = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const constant = word.filter((text) => text.trim() !== '');

const letter = fc.constantFrom(
  '[a-k]',
  '[^a-k]',
  '[A-z]',
  '\\w',
  '\\W',
  '\\d',
  '\\D',
  '\\s',
  '\\S',
  '.',
  '[^s]',
  '[^k]',
  '[0-9_]',
  '[é-ÿ]',
  '[α-ω]',
  '[^\\w]',
  '[\\W_]',
  '[a\\-z]',
  '[]a]',
  '[^]a]',
  '[\\]]',
  'k',
  's',
  'ss',
  'ß',
  'İ',
  'i',
  'Σ',
  'ς',
  'µ',
  'K',
  '\\.',
  '\\-',
  '\\_',
);
const piece = fc.oneof(
  { weight: 4, arbitrary: letter },
  fc.constantFrom('^', '$', '\\A', '\\z', '\\b', '(?i)'),
  fc
    .tuple(letter, fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?', '{0}'))
    .map(([each, repetition]) => each + repetition),
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('', '*', '+', '?'))
      .map(([inner, repetition]) => `(${inner})${repetition}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one})${other}`),
  ),
}));

const property = fc.constantFrom('department', 'city');
const quantifier = fc.constantFrom('-any', '-all');
const comparison = fc.oneof(
  fc
    .tuple(property, textOperator, constant)
    .map(([name, op, text]) => `user.${name} ${op} ${quote(text)}`),
  fc
    .tuple(property, fc.constantFrom('-match', '-notMatch'), pattern)
    .map(([name, op, text]) => `user.${name} ${op} ${quote(text)}`),
  fc
    .tuple(property, fc.array(constant, { minLength: 1, maxLength: 3 }))
    .map(([name, list]) => `user.${name} -in [${list.map(quote).join()}]`),
  property.map((name) => `user.${name} -eq null`),
  fc
    .tuple(quantifier, textOperator, constant)
    .map(
      ([quantifierText, op, text]) => `user.otherMails ${quantifierText} (_ ${op} ${quote(text)})`,
    ),
  fc
    .tuple(quantifier, pattern)
    .map(([quantifierText, text]) => `user.otherMails ${quantifierText} (_ -match ${quote(text)})`),
);
const rule = combinedRules(comparison, 4);
const value = fc.oneof(fc.constant(null), word);
const people = fc.array(
  fc.record({ department: value, city: value, otherMails: fc.array(word, { maxLength: 2 }) }),
  { minLength: 60, maxLength: 60 },
);

function quote(text: string): string {
  return `"${text.replaceAll('`', '``').replaceAll('"', '`"')}"`;
}

describe('the proof of membership rules with letters of disputed case, and with any pattern', () => {
  it('never says that nobody gains where somebody does, and agrees with the evaluator', () => {
    const verdictCounts = { none: 0, some: 0 };
    fc.assert(
      fc.property(rule, rule, people, (newText, oldText, bodies) => {
        const [newRule, oldRule] = [
          parseMembershipRule(newText).rule,
          parseMembershipRule(oldText).rule,
        ];
        // a pattern that the directory refuses
        if (newRule === undefined || oldRule === undefined) return;
        const { verdict, why } = new RuleProver({ now }).findOnlyIn(newRule, oldRule);
        expect(why.join()).not.toContain('defect');
        if (verdict === 'some') verdictCounts.some++;
        if (verdict !== 'none') return;
        verdictCounts.none++;
        const [newMatcher, oldMatcher] = [
          compileMembershipRule(newRule),
          compileMembershipRule(oldRule),
        ];
        for (const body of bodies) {
          const person = { id: 'someone', body: { accountEnabled: true, ...body } };
          const gains = newMatcher.matches(person, { now }) && !oldMatcher.matches(person, { now });
          expect(gains, `${newText} => ${oldText}: ${JSON.stringify(body)}`).toBe(false);
        }
      }),
      { numRuns: runs(150) },
    );
    expect(verdictCounts.none).toBeGreaterThan(0);
    expect(verdictCounts.some).toBeGreaterThan(runs(150) / 4);
  });
});
