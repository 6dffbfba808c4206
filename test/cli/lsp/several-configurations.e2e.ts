import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Location, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { cliPath } from '../../support/cli.js';
import { describeWithTool } from '../../support/require-tool.js';
import { Editor } from './editor.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-several-'));
const path = (name: string): string => join(folder, name);

const texts: Readonly<Record<string, string>> = {
  'common/people.yaml': `principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
groups:
  staff: { kind: security, displayName: Staff, owners: [ada, grace], members: [local] }
`,
  'first/castellan.yaml': `version: 1
stack: first
include: [../common/people.yaml]
principals: { local: { user: one@contoso.example }, linus: { user: linus@contoso.example } }
groups:
  readers: { kind: security, displayName: Readers, owners: [ada, linus] }
`,
  'second/castellan.yaml': `version: 1
stack: second
include: [../common/people.yaml]
principals: { local: { user: two@contoso.example } }
groups:
  writers: { kind: security, displayName: Writers, owners: [ada, grace] }
`,
  'second/castellan.prod.yaml': `include: [prod-only.yaml]
groups:
  writers: { members: [alan] }
`,
  'second/prod-only.yaml': `principals:
  alan: { user: alan@contoso.example }
`,
  'third/castellan.yaml': `version: 1
stack: web
principals: { tim: { user: tim@contoso.example } }
groups:
  browsers: { kind: security, displayName: Browsers, owners: [tim] }
---
version: 1
stack: data
principals: { jim: { user: jim@contoso.example } }
groups:
  lakes: { kind: security, displayName: Lakes, owners: [jim] }
`,
};
const writeTexts = (): void => {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }
};
mkdirSync(path('.git'));
writeTexts();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nameOf = (uri: string): string => relative(folder, fileURLToPath(uri));
const placeText = ({ uri, range: { start } }: Location): string =>
  `${nameOf(uri)}:${String(start.line + 1)}:${String(start.character + 1)}`;

describe('files of several configurations in an editor', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start();
    for (const [name, text] of Object.entries(texts)) await editor.open(path(name), text);
    for (const name of Object.keys(texts)) await editor.waitForDiagnostics(path(name), () => true);
  });
  afterAll(() => editor.stop());
  afterEach(async () => {
    for (const [name, text] of Object.entries(texts)) await editor.change(path(name), text);
  });

  /** What the editor completes where `|` is in a text, to which the file is changed first. */
  const completionsAt = async (name: string, marked: string): Promise<readonly string[]> => {
    await editor.change(path(name), marked.replace('|', ''));
    const before = marked.slice(0, marked.indexOf('|')).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return editor.complete(path(name), position);
  };
  const ask = <Answer>(method: string, name: string, marker: string, parameters: object = {}) =>
    editor.ask<Answer>(
      `textDocument/${method}`,
      path(name),
      editor.placeOf(path(name), marker),
      parameters,
    );

  it('complete the names of all configurations that include a file', async () => {
    const text = `${texts['common/people.yaml'] ?? ''}  more: { owners: [|`;
    expect([...(await completionsAt('common/people.yaml', text))].sort()).toEqual([
      'ada',
      'grace',
      'linus',
      'local',
    ]);
  });

  it('complete the names of the document that the cursor is in', async () => {
    const text = texts['third/castellan.yaml'] ?? '';
    expect(
      await completionsAt('third/castellan.yaml', text.replace('owners: [jim', 'owners: [|')),
    ).toEqual(['jim']);
    expect(
      await completionsAt('third/castellan.yaml', text.replace('owners: [tim', 'owners: [|')),
    ).toEqual(['tim']);
  });

  it('complete keys in an overlay that the base has', async () => {
    const text = texts['second/castellan.prod.yaml'] ?? '';
    const keys = await completionsAt(
      'second/castellan.prod.yaml',
      text.replace('members: [alan]', 'members: [alan], |'),
    );
    expect(keys).toContain('displayName');
    expect(keys).not.toContain('members');
  });

  it('go to each declaration of a name, in whichever configuration it is', async () => {
    const locations = await ask<Location[]>('definition', 'common/people.yaml', 'members: [lo');
    expect(locations.map(placeText).sort()).toEqual([
      'first/castellan.yaml:4:15',
      'second/castellan.yaml:4:15',
    ]);
  });

  it('list references in all configurations, from one of them', async () => {
    const locations = await ask<Location[]>('references', 'first/castellan.yaml', 'owners: [ad', {
      context: { includeDeclaration: true },
    });
    expect(locations.map(placeText).sort()).toEqual([
      'common/people.yaml:2:3',
      'common/people.yaml:5:57',
      'first/castellan.yaml:6:61',
      'second/castellan.yaml:6:61',
    ]);
  });

  it('rename in all configurations, from one of them', async () => {
    const { changes = {} } = await ask<WorkspaceEdit>(
      'rename',
      'second/castellan.yaml',
      'owners: [ad',
      { newName: 'lovelace' },
    );
    expect(Object.keys(changes).map(nameOf).sort()).toEqual([
      'common/people.yaml',
      'first/castellan.yaml',
      'second/castellan.yaml',
    ]);
  });

  it('keep a name that another of the configurations has taken', async () => {
    await expect(
      ask('rename', 'second/castellan.yaml', 'owners: [ad', { newName: 'linus' }),
    ).rejects.toThrow('principals has "linus" already');
  });

  it('find what only an overlay includes', async () => {
    const locations = await ask<Location[]>('references', 'second/prod-only.yaml', '  al', {
      context: { includeDeclaration: false },
    });
    expect(locations.map(placeText)).toEqual(['second/castellan.prod.yaml:3:24']);
    expect(editor.diagnostics(path('second/prod-only.yaml'))).toEqual([]);
  });

  it('show the findings of each, whichever was checked last', async () => {
    const shared = path('common/people.yaml');
    await editor.change(
      path('second/castellan.yaml'),
      (texts['second/castellan.yaml'] ?? '').replace('local', 'elsewhere'),
    );
    const isMissing = (codes: readonly string[]): boolean => codes.includes('5 reference-exists');
    expect(await editor.waitForDiagnostics(shared, isMissing)).toContain('5 reference-exists');
    await editor.change(
      path('first/castellan.yaml'),
      (texts['first/castellan.yaml'] ?? '').replace('displayName: Readers', 'displayName: ""'),
    );
    await editor.waitForDiagnostics(path('first/castellan.yaml'), (codes) =>
      codes.some((code) => code.startsWith('6 ')),
    );
    const missing = editor
      .diagnostics(shared)
      .filter(({ code }) => code === 'reference-exists')
      .map(({ message }) => message);
    expect(missing).toEqual([
      expect.stringMatching(/there is no principal or group "local".* \(stack second\)$/),
    ]);
    await editor.change(path('second/castellan.yaml'), texts['second/castellan.yaml'] ?? '');
    expect(await editor.waitForDiagnostics(shared, (codes) => !isMissing(codes))).not.toContain(
      '5 reference-exists',
    );
  });
});

describeWithTool('nvim', 'files of several configurations in Neovim', (nvim) => {
  it('are renamed together, and completed with the names of all', () => {
    const script = path('try.lua');
    writeFileSync(
      script,
      `local id = vim.lsp.start_client({ name = 'castellan', cmd = { '${process.execPath}', '${cliPath}', 'lsp', '--stdio' }, root_dir = '${folder}' })
vim.cmd('edit ${path('second/castellan.yaml')}')
vim.lsp.buf_attach_client(0, id)
local client = vim.lsp.get_client_by_id(id)
vim.wait(20000, function() return client.initialized end)
vim.fn.search('ada')
vim.lsp.buf.rename('lovelace')
vim.wait(20000, function() return vim.fn.getline('.'):find('lovelace') ~= nil end)
vim.cmd('silent wall')
vim.cmd('edit ${path('common/people.yaml')}')
vim.lsp.buf_attach_client(0, id)
vim.fn.search('members')
vim.fn.search('local')
local labels = {}
vim.wait(20000, function()
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', vim.lsp.util.make_position_params(), 5000)
  for _, answer in pairs(answers or {}) do
    labels = vim.tbl_map(function(item) return item.label end, answer.result.items or answer.result)
  end
  return #labels > 0
end, 200)
vim.fn.writefile(labels, '${path('labels')}')
vim.cmd('qall!')
`,
    );
    try {
      execFileSync(nvim, ['--headless', '--clean', '-n', '-c', `luafile ${script}`], {
        timeout: 90_000,
        stdio: 'ignore',
      });
      for (const name of ['first/castellan.yaml', 'second/castellan.yaml', 'common/people.yaml'])
        expect(readFileSync(path(name), 'utf8')).toContain('owners: [lovelace, ');
      expect(readFileSync(path('labels'), 'utf8').split('\n').filter(Boolean).sort()).toEqual([
        'grace',
        'linus',
        'local',
        'lovelace',
        'readers',
        'staff',
        'writers',
      ]);
    } finally {
      writeTexts();
    }
  });
});
