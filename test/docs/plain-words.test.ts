import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

interface Word {
  readonly word: RegExp;
  readonly plainly: string;
  readonly except?: RegExp;
}

/**
 * Words that a reader has to decode, each with what says the same plainly, and the files that may
 * have it.
 */
const words: readonly Word[] = [
  {
    word: /\b(somebody|anybody|whoever|whosever)\b/i,
    plainly: 'someone, anyone, or the caller, the user, the owner',
  },
  { word: /\bnobody\b/i, plainly: 'no one', except: /^(test|bench)\// }, // there it is a name in data
  { word: /\bbegun\b/i, plainly: 'started' },
  { word: /\banew\b/i, plainly: 'again' },
  { word: /\b(hears?|heard|tells?|told) of\b/i, plainly: 'is notified, documents, reports' },
  { word: /\bcom(es?|ing) to rest\b/i, plainly: 'a plan without changes' },
  { word: /\bstands? in for\b/i, plainly: 'replaces' },
  { word: /\bthere for good\b/i, plainly: 'permanent' },
  { word: /\blets? go of\b/i, plainly: 'releases, removes' },
  { word: /\b(could|can) ?not be had\b/i, plainly: 'could not be fetched' },
  { word: /\b(has|have) not the\b/i, plainly: 'has the wrong …, lacks the …' },
  { word: /\bof (its|their) own accord\b/i, plainly: 'by itself' },
  { word: /\bsuch a one\b/i, plainly: 'one' },
  { word: /\ba whole number from\b/i, plainly: 'must be an integer of at least …' },
];

const folders =
  'access bench cli clients constructs core docs editors examples kinds policies provider sandbox scripts services stacks test .changeset'.split(
    ' ',
  );
const readable = /\.(ts|tsx|mjs|md|yaml|rego)$/;
const generated = /(^|\/)(node_modules|generated|cdktf\.out|\.castellan|dist)\//;
/** A rule of the directory's language that a test quotes. */
const quoted = 'Direct Reports for "somebody"';

const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .concat(readdirSync(root).filter((file) => file.endsWith('.md')))
  .filter(
    (file) =>
      readable.test(file) && !generated.test(file) && file !== 'test/docs/plain-words.test.ts',
  );

test.each(words)('no text of the project has $word', ({ word, plainly, except }) => {
  expect(files.length).toBeGreaterThan(1_000);
  const hits = files
    .filter((file) => except?.test(file) !== true)
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          word.test(line) && !line.includes(quoted) ? [`${file}:${index + 1} ${line.trim()}`] : [],
        ),
    );
  expect(hits, `say it plainly: ${plainly}`).toEqual([]);
});
