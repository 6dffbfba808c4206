import fc from 'fast-check';
import { RuleProver } from '../../../../kinds/membership-rule/prove/index.js';
import { parseMembershipRule } from '../../../../kinds/membership-rule/index.js';
import { compileMembershipRule } from '../../../../services/directory/membership-rule/index.js';
import { joined, textOperator } from '../rule-arbitraries.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');

/** Letters whose capitals and small letters are read differently, of two code units, and others. */
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
  .map((some) => some.join(''));
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
    .map(([each, times]) => each + times),
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('', '*', '+', '?'))
      .map(([inner, times]) => `(${inner})${times}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one})${other}`),
  ),
}));

const property = fc.constantFrom('department', 'city');
const quantifier = fc.constantFrom('-any', '-all');
const comparison = fc.oneof(
  fc
    .tuple(property, textOperator, constant)
    .map(([name, op, text]) => `user.${name} ${op} ${quoted(text)}`),
  fc
    .tuple(property, fc.constantFrom('-match', '-notMatch'), pattern)
    .map(([name, op, text]) => `user.${name} ${op} ${quoted(text)}`),
  fc
    .tuple(property, fc.array(constant, { minLength: 1, maxLength: 3 }))
    .map(([name, list]) => `user.${name} -in [${list.map(quoted).join()}]`),
  property.map((name) => `user.${name} -eq null`),
  fc
    .tuple(quantifier, textOperator, constant)
    .map(([of, op, text]) => `user.otherMails ${of} (_ ${op} ${quoted(text)})`),
  fc
    .tuple(quantifier, pattern)
    .map(([of, text]) => `user.otherMails ${of} (_ -match ${quoted(text)})`),
);
const rule = joined(comparison, 4);
const value = fc.oneof(fc.constant(null), word);
const people = fc.array(
  fc.record({ department: value, city: value, otherMails: fc.array(word, { maxLength: 2 }) }),
  { minLength: 60, maxLength: 60 },
);

function quoted(text: string): string {
  return `"${text.replaceAll('`', '``').replaceAll('"', '`"')}"`;
}

describe('the proof of membership rules with letters of disputed case, and with any pattern', () => {
  it('never says nobody where somebody is, and always agrees with the evaluator', () => {
    const count = { none: 0, some: 0 };
    fc.assert(
      fc.property(rule, rule, people, (one, other, somebody) => {
        const [is, was] = [parseMembershipRule(one).rule, parseMembershipRule(other).rule];
        if (is === undefined || was === undefined) return; // a pattern that the directory refuses
        const { verdict, why } = new RuleProver({ now }).findOnlyIn(is, was);
        expect(why.join()).not.toContain('defect');
        if (verdict === 'some') count.some++;
        if (verdict !== 'none') return;
        count.none++;
        const [after, before] = [compileMembershipRule(is), compileMembershipRule(was)];
        for (const body of somebody) {
          const person = { id: 'someone', body: { accountEnabled: true, ...body } };
          const gains = after.matches(person, { now }) && !before.matches(person, { now });
          expect(gains, `${one} => ${other}: ${JSON.stringify(body)}`).toBe(false);
        }
      }),
      { numRuns: runs(150) },
    );
    expect(count.none).toBeGreaterThan(0);
    expect(count.some).toBeGreaterThan(runs(150) / 4);
  });
});
