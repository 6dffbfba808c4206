import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeAction, Location } from 'vscode-languageserver-protocol';
import { Editor } from './editor.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = `version: 1
stack: shop
include: [teams.yaml]
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
`;
const teams = (owners: string): string =>
  `groups:\n  team: { kind: security, displayName: Team, mailNickname: team, owners: [${owners}] }\n`;

/** How VS Code writes URIs: it encodes all that has a meaning in some URI. */
const encodedUri = (file: string): string =>
  `file://${encodeURIComponent(file)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)}`;

describe('documents in an editor', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start(encodedUri);
  });
  afterAll(() => editor.stop());

  it('are the files of their URIs, however these encode a path', async () => {
    const file = join(folder, '@acme (old)+new', 'castellan.yaml');
    mkdirSync(join(file, '..'));
    const text = `${config.replace('include: [teams.yaml]\n', '')}${teams('ada, grace')}`.replace(
      'mailNickname: team',
      'mailNickname: our team',
    );
    await editor.open(file, text);
    await editor.waitForDiagnostics(file, (codes) => codes.length > 0);
    const [definition] = await editor.ask<Location[]>(
      'textDocument/definition',
      file,
      editor.placeOf(file, '[ada'),
    );
    expect(definition?.range.start.line).toBe(3);
    expect(await editor.complete(file, editor.placeOf(file, 'owners: ['))).toContain('grace');
    expect(await editor.actions(file, editor.placeOf(file, 'our team'))).not.toEqual([]);
  });

  it('say nothing at a URI that is no file of this machine', async () => {
    const other = await Editor.start((name) => `file://elsewhere${name}`);
    await other.open('/share/castellan.yaml', config);
    expect(await other.hover('/share/castellan.yaml', { line: 1, character: 2 })).toBe('');
    expect(await other.complete('/share/castellan.yaml', { line: 1, character: 0 })).toEqual([]);
    expect(await other.stop()).toBe(0);
  });

  it('are checked in a folder that is not on the disk yet', async () => {
    const file = join(folder, 'new', 'castellan.yaml');
    await editor.open(file, config.replace('include', 'incldue'));
    const codes = await editor.waitForDiagnostics(file, (each) => each.length > 0);
    expect(codes.join()).toContain('3 ');
  });

  it('have fixes at the places of the text as it is typed, also right after a key', async () => {
    const file = join(folder, 'typed', 'castellan.yaml');
    const text = `${config.replace('include: [teams.yaml]\n', '')}${teams('ada, grace')}`.replace(
      'kind: security',
      'kind: securty',
    );
    await editor.open(file, text);
    await editor.waitForDiagnostics(file, (codes) => codes.length > 0);
    await editor.change(file, `# ours\n${text}`);
    const place = editor.placeOf(file, 'securty', 0);
    const [action] = await editor.ask<CodeAction[]>('textDocument/codeAction', file, place, {
      range: { start: { line: 0, character: 0 }, end: place },
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    const edits = Object.values(action?.edit?.changes ?? {}).flat();
    expect(edits.map(({ range }) => range.start)).toEqual([place]);
  });

  it('count as they are on disk, when they are closed unsaved or written by another program', async () => {
    const [file, included] = [join(folder, 'castellan.yaml'), join(folder, 'teams.yaml')];
    writeFileSync(file, config);
    writeFileSync(included, teams('ada, grace'));
    await editor.open(file, config);
    await editor.open(included, teams('ada, grace'));
    expect(await editor.waitForDiagnostics(included, (codes) => codes.length === 0)).toEqual([]);
    await editor.change(included, teams('nobody'));
    const hasReference = (codes: readonly string[]) => codes.join().includes('reference-exists');
    expect(await editor.waitForDiagnostics(included, hasReference)).not.toEqual([]);
    await editor.close(included);
    expect(await editor.waitForDiagnostics(included, (codes) => codes.length === 0)).toEqual([]);
    writeFileSync(included, teams('nobody'));
    await editor.reportChangeOnDisk(included);
    expect(await editor.waitForDiagnostics(included, hasReference)).not.toEqual([]);
  });
});
