import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/cli.js';
import { Editor } from './editor.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-hover-'));
const file = join(folder, 'castellan.yaml');
let editor: Editor;

beforeAll(async () => {
  cpSync(join(root, 'examples/storefront'), folder, { recursive: true });
  editor = await Editor.start();
  await editor.open(file, readFileSync(file, 'utf8'));
  await editor.waitForDiagnostics(file, (codes) => codes.length > 0);
});
afterAll(async () => {
  await editor.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the hover of an app says who gets in, for the text as it is in the editor', async () => {
  const place = editor.placeOf(file, 'containerApps:\n  storefront', 0);
  const appPosition = { line: place.line + 1, character: 4 };
  const hoverText = await editor.hover(file, appPosition);
  expect(hoverText).toContain('**1 person gets in** by the directory');
  expect(hoverText).toContain('**Anyone with an account at codehost** gets in');
  expect(hoverText).toContain('public: `/healthz`');
  expect(hoverText).toContain('ada@contoso.example');

  const wider = readFileSync(file, 'utf8').replace('-eq "Retail"', '-ne "Nothing"');
  await editor.change(file, wider);
  await expect
    .poll(() => editor.hover(file, appPosition), { timeout: 20_000 })
    .toContain('**2 people get in**');
});

test('other places have the meaning of their key alone', async () => {
  const hoverText = await editor.hover(file, editor.placeOf(file, 'targetPort', 2));
  expect(hoverText).toContain('**targetPort**');
  expect(hoverText).not.toContain('gets in');
});
