import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CodeAction, Location, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { cliPath } from '../../support/cli.js';
import { describeWithTool } from '../../support/require-tool.js';
import { Editor } from './editor.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-names-'));
const texts = {
  'castellan.yaml': `version: 1
stack: shop
include: [people.yaml]
moved: [{ from: groups.staff, to: groups.shoppers }]
registrations:
  login: { displayName: Login, owners: [ada, "grace"] }
groups:
  shoppers:
    kind: security
    displayName: Shoppers
    owners: [ada, grace]
workspaces:
  lake: { displayName: Lake, roles: [{ principal: shoppers, role: Viewer }] }
eventhouses:
  store: { displayName: Store, workspace: lake }
eventstreams:
  clicks:
    workspace: lake
    displayName: Clicks
    definition:
      sources: [{ name: web, type: CustomEndpoint }]
      operators: [{ name: big, type: Filter, inputNodes: [web], properties: { conditions: [] } }]
      destinations:
        - { name: kept, type: Eventhouse, eventhouse: store, inputNodes: [big] }
        - { name: all, type: Eventhouse, eventhouse: store, inputNodes: [clicks-stream] }
containerApps:
  web:
    image: "web:1"
    secrets: { key: "\${env:KEY}" }
    env: { KEY: { secret: key } }
    auth: { providers: { directory: { registration: login, allowedGroups: [shoppers] } } }
`,
  'people.yaml': `principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
`,
  'castellan.prod.yaml': `groups:
  shoppers: { members: [ada] }
principals:
  grace: null
`,
} as const;
type Name = keyof typeof texts;
const path = (name: Name): string => join(folder, name);
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = ({ uri, range: { start, end } }: Location): string =>
  `${basename(fileURLToPath(uri))}:${String(start.line + 1)}:${String(start.character + 1)}-${String(end.character + 1)}`;

/** The text of a file after edits, which don't overlap. */
function applyEdit(name: Name, { changes = {} }: WorkspaceEdit): string {
  const lines = texts[name].split('\n');
  const edits = changes[pathToFileURL(path(name)).href] ?? [];
  for (const { range, newText } of edits.toReversed()) {
    const line = lines[range.start.line] ?? '';
    lines[range.start.line] =
      line.slice(0, range.start.character) + newText + line.slice(range.end.character);
  }
  return lines.join('\n');
}

describe('names in an editor', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start();
    for (const [name, text] of Object.entries(texts)) await editor.open(join(folder, name), text);
  });
  afterAll(() => editor.stop());

  const ask = <Answer>(method: string, name: Name, marker: string, more: object = {}) =>
    editor.ask<Answer>(
      `textDocument/${method}`,
      path(name),
      editor.placeOf(path(name), marker),
      more,
    );
  const definition = async (name: Name, marker: string): Promise<string[]> =>
    (await ask<Location[]>('definition', name, marker)).map(place);
  const references = async (name: Name, marker: string): Promise<string[]> =>
    (
      await ask<Location[]>('references', name, marker, { context: { includeDeclaration: false } })
    ).map(place);

  it.each([
    ['a principal of an included file', 'owners: [ada', ['people.yaml:2:3-6']],
    ['a group', 'allowedGroups: [shop', ['castellan.yaml:8:3-11', 'castellan.prod.yaml:2:3-11']],
    ['a registration', 'registration: log', ['castellan.yaml:6:3-8']],
    ['a workspace', 'Store, workspace: la', ['castellan.yaml:13:3-7']],
    ['a node', 'inputNodes: [bi', ['castellan.yaml:22:27-30']],
    ['the stream of an eventstream', 'inputNodes: [clicks', ['castellan.yaml:17:3-9']],
    ['a secret of the app', 'secret: k', ['castellan.yaml:29:16-19']],
    [
      'the target of a move',
      'to: groups.shop',
      ['castellan.yaml:8:3-11', 'castellan.prod.yaml:2:3-11'],
    ],
  ])('go from a reference to %s', async (_what, marker, places) => {
    expect(await definition('castellan.yaml', marker)).toEqual(places);
  });

  it('list their references in all files, from the declaration and from any of them', async () => {
    const ada = [
      'castellan.yaml:6:41-44',
      'castellan.yaml:11:14-17',
      'castellan.prod.yaml:2:25-28',
    ];
    expect((await references('people.yaml', '  ad')).sort()).toEqual(ada.toSorted());
    expect((await references('castellan.prod.yaml', '[ad')).sort()).toEqual(ada.toSorted());
    expect(await references('people.yaml', '  gr')).toEqual([
      'castellan.yaml:6:47-52',
      'castellan.yaml:11:19-24',
      'castellan.prod.yaml:4:3-8',
    ]);
  });

  it('change in all files that are read together, with quotes as they are', async () => {
    const edit = await ask<WorkspaceEdit>('rename', 'castellan.yaml', '"gra', {
      newName: 'hopper',
    });
    expect(applyEdit('castellan.yaml', edit)).toBe(
      texts['castellan.yaml'].replace('"grace"', '"hopper"').replace('ada, grace', 'ada, hopper'),
    );
    expect(applyEdit('people.yaml', edit)).toBe(texts['people.yaml'].replace('grace:', 'hopper:'));
    expect(applyEdit('castellan.prod.yaml', edit)).toBe(
      texts['castellan.prod.yaml'].replace('grace:', 'hopper:'),
    );
  });

  it('change within their own eventstream: a source is no app of the same name', async () => {
    const edit = await ask<WorkspaceEdit>('rename', 'castellan.yaml', '{ name: we', {
      newName: 'browser',
    });
    expect(applyEdit('castellan.yaml', edit)).toBe(
      texts['castellan.yaml']
        .replace('{ name: web', '{ name: browser')
        .replace('inputNodes: [web]', 'inputNodes: [browser]'),
    );
  });

  it('are not renamed to a name that is taken or not allowed, and other words are not renamed', async () => {
    await expect(
      ask('rename', 'castellan.yaml', 'owners: [ada', { newName: 'grace' }),
    ).rejects.toThrow('principals has "grace" already: choose another name');
    await expect(
      ask('rename', 'castellan.yaml', 'owners: [ada', { newName: '1 a' }),
    ).rejects.toThrow('"1 a" is not a name here');
    await expect(
      ask('rename', 'castellan.yaml', 'secrets: { ke', { newName: 'a: b' }),
    ).rejects.toThrow(
      '"a: b" is not a name here: only lower-case letters, digits and inner hyphens',
    );
    for (const newName of ['a, b', 'x #y', 'a"', "it's", '', ' a'])
      await expect(
        ask('rename', 'castellan.yaml', 'sources: [{ name: we', { newName }),
      ).rejects.toThrow(`${JSON.stringify(newName)} is not a name here`);
    await expect(
      ask('rename', 'castellan.yaml', 'owners: [ada', { newName: 'true' }),
    ).rejects.toThrow('"true" is not a name here: YAML reads it as something else');
    expect(await ask('prepareRename', 'castellan.yaml', 'kind: secu')).toBeNull();
  });

  it('have actions for every fix of a finding, and one for all that let nobody in', async () => {
    const broken = texts['castellan.yaml']
      .replace('kind: security', 'kind: securty')
      .replace('workspace: lake }', 'workspace: laek }')
      .replace('allowedGroups: [shoppers]', 'allowedGroups: [shopers]');
    await editor.change(path('castellan.yaml'), broken);
    await editor.waitForDiagnostics(path('castellan.yaml'), (codes) =>
      codes.some((code) => code.startsWith('9 ')),
    );
    for (const [marker, right] of [
      ['kind: sec', 'security'],
      ['workspace: la', 'lake'],
      ['allowedGroups: [sh', 'shoppers'],
    ] as const) {
      const actions = await editor.actions(
        path('castellan.yaml'),
        editor.placeOf(path('castellan.yaml'), marker),
      );
      expect(
        actions.flatMap(({ edit }) => Object.values(edit?.changes ?? {}).flat()),
      ).toContainEqual(expect.objectContaining({ newText: right }));
    }
    const start = { line: 0, character: 0 };
    const [fixAllAction] = await editor.ask<CodeAction[]>(
      'textDocument/codeAction',
      path('castellan.yaml'),
      start,
      {
        range: { start, end: start },
        context: { diagnostics: [], only: ['source.fixAll'] },
      },
    );
    const edits = Object.values(fixAllAction?.edit?.changes ?? {}).flat();
    expect(edits.map(({ newText }) => newText).sort()).toEqual(['lake', 'security']);
    await editor.change(path('castellan.yaml'), texts['castellan.yaml']);
  });

  it('follow what is typed and not yet saved', async () => {
    const text = texts['people.yaml'].replace(
      '  ada:',
      '  lovelace: { user: x@contoso.example }\n  ada:',
    );
    await editor.change(path('people.yaml'), text);
    expect(await definition('castellan.yaml', 'owners: [ada')).toEqual(['people.yaml:3:3-6']);
    await editor.change(path('people.yaml'), texts['people.yaml']);
  });
});

describeWithTool('nvim', 'names in Neovim', (nvim) => {
  it('go to a definition in another file, and change in both', () => {
    const script = join(folder, 'try.lua');
    writeFileSync(
      script,
      `local id = vim.lsp.start_client({ name = 'castellan', cmd = { '${process.execPath}', '${cliPath}', 'lsp', '--stdio' }, root_dir = '${folder}' })
vim.cmd('edit ${path('castellan.yaml')}')
vim.lsp.buf_attach_client(0, id)
local client = vim.lsp.get_client_by_id(id)
vim.wait(20000, function() return client.initialized end)
vim.fn.search('ada')
vim.lsp.buf.definition()
vim.wait(20000, function() return vim.fn.expand('%:t') == 'people.yaml' end)
local found = vim.fn.expand('%:t') .. ':' .. vim.fn.line('.') .. ':' .. vim.fn.col('.')
vim.lsp.buf_attach_client(0, id)
vim.lsp.buf.rename('lovelace')
vim.wait(20000, function() return vim.fn.getline('.'):find('lovelace') ~= nil end)
vim.cmd('wall')
vim.fn.writefile({ found }, '${join(folder, 'found')}')
vim.cmd('qall!')
`,
    );
    try {
      execFileSync(nvim, ['--headless', '--clean', '-n', '-c', `luafile ${script}`], {
        timeout: 90_000,
        stdio: 'ignore',
      });
      expect(readFileSync(join(folder, 'found'), 'utf8')).toBe('people.yaml:2:3\n');
      expect(readFileSync(path('people.yaml'), 'utf8')).toContain('  lovelace: {');
      expect(readFileSync(path('castellan.yaml'), 'utf8')).toContain('owners: [lovelace, grace]');
    } finally {
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    }
  });
});
