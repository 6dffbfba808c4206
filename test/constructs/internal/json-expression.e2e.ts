import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { App, TerraformOutput } from '../../../constructs/internal/cdktf.js';
import { CastellanStack } from '../../../constructs/index.js';
import { jsonExpression } from '../../../constructs/internal/json-expression.js';
import { escapeInterpolation } from '../../../constructs/internal/interpolation.js';
import { terraformProgram } from '../../support/terraform-program.js';

const awkwardTexts = [
  '"',
  '\\',
  '\n',
  '\t',
  '\u0000',
  '\u0008',
  '\u2028',
  '${',
  '%{',
  '$${',
  '}',
  '{{ .X }}',
  '<>&',
  'é',
  '🏰',
  '#{',
  '\\u0041',
  '\\b',
  'C:\\files',
  "'",
];
/** Terraform keeps its strings in Unicode's composed form (NFC). */
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...awkwardTexts), fc.string({ unit: 'grapheme', maxLength: 4 })),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.join('').normalize('NFC'));
const { tree: documents } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    text,
    fc.boolean(),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.constant(null),
  ),
  tree: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
  ),
}));
const sampleTexts = [...awkwardTexts, ...fc.sample(text, { numRuns: 200, seed: 42 })];
const sampleDocuments = [...awkwardTexts, ...fc.sample(documents, { numRuns: 300, seed: 42 })];

describe('documents and texts, evaluated by the real Terraform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-json-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('keep their content, whatever it is', () => {
    const app = new App({ outdir: folder });
    const stack = new CastellanStack(app, 'shop');
    sampleDocuments.forEach((document, index) => {
      new TerraformOutput(stack, `document${index}`, { value: jsonExpression(document) });
    });
    sampleTexts.forEach(
      (each, index) =>
        new TerraformOutput(stack, `text${index}`, { value: escapeInterpolation(each) }),
    );
    app.synth();
    const directory = join(folder, 'stacks/shop');
    const terraform = (...args: string[]): string =>
      execFileSync(terraformProgram, args, {
        cwd: directory,
        encoding: 'utf8',
        env: { ...process.env, CHECKPOINT_DISABLE: '1' },
      });
    terraform('init', '-input=false');
    terraform('apply', '-auto-approve', '-input=false');
    const outputs = JSON.parse(terraform('output', '-json')) as Record<string, { value: unknown }>;
    sampleDocuments.forEach((document, index) => {
      expect(JSON.parse(String(outputs[`document${index}`]?.value))).toEqual(document);
    });
    sampleTexts.forEach((each, index) => expect(outputs[`text${index}`]?.value).toBe(each));
  });
});
