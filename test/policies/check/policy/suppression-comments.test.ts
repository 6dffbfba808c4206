import { SourceText } from '../../../../core/source/source-text.js';
import { removeComments } from '../../../../policies/check/policy/edit-suppressions.js';
import { suppressionComments } from '../../../../policies/check/policy/suppression-comments.js';

const findComments = async (text: string): Promise<[string, number, number][]> =>
  (await suppressionComments(new SourceText('castellan.yaml', text))).map(({ rule, location }) => [
    rule,
    location.line,
    location.column,
  ]);

const ignore = '# castellan-ignore a-rule reason=x';

test.each([
  ['a text in double quotes', `a: "say ${ignore}"\n`],
  ['a text in single quotes', `a: 'say ${ignore}'\n`],
  ['a text in quotes over two lines', `a: "say\n  ${ignore}\n  and more"\n`],
  ['a quoted key', `"${ignore}": 1\n`],
  ['an item in brackets', `a: [b, "${ignore}"]\n`],
  ['a block of lines', `a: |\n  first\n  ${ignore}\n  last\nb: 1\n`],
  ['a folded block at the end', `b: 1\na: >-\n  ${ignore}`],
  ['a block with an anchor', `a: &it |\n  ${ignore}\nb: *it\n`],
  ['a word with a sign in it', 'a: b#castellan-ignore a-rule\n'],
])('%s holds no suppression', async (_, text) => {
  expect(await findComments(text)).toEqual([]);
});

test.each([
  [
    'after a quoted text that looks like one',
    `a: "${ignore}" # castellan-ignore other\n`,
    [['other', 1, 41]],
  ],
  ['beside the sign of a block', `a: | ${ignore}\n  castellan-ignore\n`, [['a-rule', 1, 6]]],
  ['after a block', `a: |\n  castellan-ignore\n${ignore}\nb: 1\n`, [['a-rule', 3, 1]]],
  ['after an empty value', `a: ${ignore}\nb: castellan-ignore\n`, [['a-rule', 1, 4]]],
  ['after a plain text', `a: castellan-ignore it ${ignore}\n`, [['a-rule', 1, 24]]],
  ['that names no rule', 'a: 1 # castellan-ignore\n', [['', 1, 6]]],
  ['with a colon', `a: 1 ${ignore.replace('ignore', 'ignore:')}\n`, [['a-rule', 1, 6]]],
  ['in a second document', `a: 1\n---\nb: 1 ${ignore}\n`, [['a-rule', 3, 6]]],
  ['in a file with mistakes', `a: [1 ${ignore}\n`, [['a-rule', 1, 7]]],
])('a comment %s is a suppression', async (_, text, expected) => {
  expect(await findComments(text)).toEqual(expected);
});

test('a reason may name a ticket', async () => {
  const text = `a: 1 # castellan-ignore a-rule reason="see #12, it's known" owner='web #1' until=2027-01-31 # and more\n`;
  expect(await suppressionComments(new SourceText('castellan.yaml', text))).toMatchObject([
    { rule: 'a-rule', reason: "see #12, it's known", owner: 'web #1', until: '2027-01-31' },
  ]);
});

test('a word that only starts like a suppression is not one', async () => {
  expect(
    await findComments('a: 1 # castellan-ignored things\nb: 2 # castellan-ignore-all\n'),
  ).toEqual([]);
});

test('removing a comment leaves quoted text before it unchanged', async () => {
  const text = `a: "${ignore}" ${ignore}\r\n${ignore}\r\nb: 1\r\n`;
  const places = (await suppressionComments(new SourceText('castellan.yaml', text))).map(
    ({ location }) => location,
  );
  expect(removeComments(text, places)).toBe(`a: "${ignore}"\r\nb: 1\r\n`);
});
