// Draws the pictures in the readme of the editor extension from what the language server says about
// a file: node scripts/editor-pictures.mjs CHROMIUM, after a build.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import lsp from 'vscode-languageserver/node.js';
import { escapeHtml } from '../dist/core/text/escape-html.js';

const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = lsp;
const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'editors/vscode/pictures');
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'castellan-pictures-'));
cpSync(join(root, 'examples/storefront'), folder, { recursive: true });
const file = join(folder, 'castellan.yaml');
const uri = pathToFileURL(file).href;
const validText = readFileSync(file, 'utf8');
const insecureText = validText.replace('allowInsecure: false', 'allowInsecure: true');

const server = spawn(process.execPath, [join(root, 'dist/cli/bin.js'), 'lsp'], {
  cwd: folder,
  env: { ...process.env, ARM_TENANT_ID: guidOf(1), ARM_SUBSCRIPTION_ID: guidOf(2) },
});
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
let diagnostics = [];
connection.onNotification('textDocument/publishDiagnostics', (params) => {
  if (params.uri === uri) diagnostics = params.diagnostics;
});
connection.onRequest('client/registerCapability', () => null);
connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
connection.listen();
await connection.sendRequest('initialize', {
  processId: process.pid,
  rootUri: pathToFileURL(folder).href,
  workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'storefront' }],
  capabilities: { textDocument: { publishDiagnostics: {} } },
});
await connection.sendNotification('initialized', {});
await connection.sendNotification('textDocument/didOpen', {
  textDocument: { uri, languageId: 'yaml', version: 1, text: insecureText },
});
const insecure = await waitFor(() =>
  diagnostics.find(({ code }) => code === 'auth-allow-insecure'),
);
const fixes = await connection.sendRequest('textDocument/codeAction', {
  textDocument: { uri },
  range: insecure.range,
  context: { diagnostics: [insecure] },
});
const appLine = validText.split('\n').findIndex((line) => line === '  storefront:');
const hover = await connection.sendRequest('textDocument/hover', {
  textDocument: { uri },
  position: { line: appLine, character: 4 },
});
connection.dispose();
server.kill();
rmSync(folder, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 780, height: 370 }, colorScheme: 'dark' });
await draw('who-gets-in', appLine, {
  text: validText,
  box: htmlOfMarkdown(hover.contents.value),
  column: 4,
});
await draw('fix', insecure.range.start.line, {
  text: insecureText,
  range: insecure.range,
  box: `<p><i>${insecure.severity === 1 ? '✕' : '⚠'}</i> ${escapeHtml(insecure.message)} <code>${escapeHtml(String(insecure.code))}</code></p><hr>${fixes.map(({ title }) => `<p><i class="fix">fix</i> ${escapeHtml(title)}</p>`).join('')}`,
  column: 14,
});
await browser.close();

/** Writes a picture of some lines of the file, with a box below one of them. */
async function draw(name, line, { text, range, box, column }) {
  const lines = text.split('\n').slice(Math.max(0, line - 1), line + 12);
  const shown = lines.map((each, index) => {
    const isMarked = range !== undefined && index === 1;
    const code = isMarked
      ? `${highlight(each.slice(0, range.start.character))}<u>${highlight(each.slice(range.start.character, range.end.character))}</u>${highlight(each.slice(range.end.character))}`
      : highlight(each);
    return `<div class="line"><b>${String(Math.max(0, line - 1) + index + 1)}</b>${code}</div>`;
  });
  shown.splice(
    2,
    0,
    `<div class="box" style="margin-left:calc(4.6rem + ${column}ch)">${box}</div>`,
  );
  await page.setContent(`<style>
body{margin:0;background:#1f1f1f;color:#ccc;font:14px/1.55 ui-monospace,'DejaVu Sans Mono',monospace;height:370px;overflow:hidden}
header{padding:.5rem 1rem;background:#181818;font:13px system-ui,sans-serif;border-bottom:1px solid #333}
.line{white-space:pre;padding-left:4.6rem;position:relative}.line b{position:absolute;left:1.6rem;color:#6e7681;font-weight:400}
.key{color:#569cd6}.note{color:#6a9955}u{text-decoration:wavy underline #f14c4c;text-underline-offset:3px}
.box{width:max-content;max-width:34rem;margin-top:.3rem;margin-bottom:.4rem;padding:.2rem .9rem;background:#252526;border:1px solid #454545;border-radius:5px;font:13.5px/1.5 system-ui,sans-serif}
.box p{margin:.45rem 0}.box hr{margin:.3rem -.9rem;border:0;border-top:1px solid #454545}code{color:#9cdcfe;font:12.5px ui-monospace,monospace}i{color:#f14c4c;font-style:normal}i.fix{color:#e2c08d}em{color:#9d9d9d}
</style><header>castellan.yaml</header><div style="padding:.6rem 0">${shown.join('')}</div>`);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** A line of YAML as HTML, with its keys and comments coloured. */
function highlight(code) {
  const [, before = '', note = ''] = /^(.*?)(#.*)?$/.exec(code) ?? [];
  const keys = escapeHtml(before).replace(/([\w-]+)(?=:(\s|$))/g, '<span class="key">$1</span>');
  return `${keys}<span class="note">${escapeHtml(note)}</span>`;
}

function htmlOfMarkdown(text) {
  return text
    .split(/\n\n+/)
    .map((part) =>
      escapeHtml(part)
        .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
        .replace(/^_(.+)_$/s, '<em>$1</em>'),
    )
    .map((part) =>
      part === '---' ? '<hr>' : `<p>${part.replace(/`(.+?)`/g, '<code>$1</code>')}</p>`,
    )
    .join('');
}

function guidOf(digit) {
  return `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
}

async function waitFor(find) {
  for (let tries = 0; tries < 200; tries++) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('the language server did not answer in time');
}
