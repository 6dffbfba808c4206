import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  Hover,
  PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { cliPath } from '../../support/cli.js';

const text = `version: 1
stack: shop
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
groups:
  shoppers:
    kind: security
    displayName: Shoppers
    mailNickname: our shoppers
    owners: [ada, grace]
`;

describe('the language server, as an editor drives it', () => {
  const uri = pathToFileURL(
    join(mkdtempSync(join(tmpdir(), 'castellan-lsp-')), 'castellan.yaml'),
  ).href;
  let server: ChildProcess;
  let client: MessageConnection;
  let version = 1;
  let onPublished: (diagnostics: PublishDiagnosticsParams) => void = () => undefined;
  const nextDiagnostics = (): Promise<PublishDiagnosticsParams> =>
    new Promise((done) => (onPublished = done));
  const change = (content: string): Promise<PublishDiagnosticsParams> => {
    const result = nextDiagnostics();
    void client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: ++version },
      contentChanges: [{ text: content }],
    });
    return result;
  };
  const positionOf = (
    content: string,
    marker: string,
    offset = 0,
  ): { line: number; character: number } => {
    const before = content.slice(0, content.indexOf(marker) + offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };

  beforeAll(async () => {
    writeFileSync(new URL(uri), text);
    server = spawn(process.execPath, [cliPath, 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!server.stdout || !server.stdin) throw new Error('no streams');
    client = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) =>
      onPublished(params),
    );
    client.listen();
    await client.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    await client.sendNotification('initialized', {});
  });
  afterAll(async () => {
    await client.sendRequest('shutdown');
    await client.sendNotification('exit');
    client.dispose();
    server.kill();
  });

  it('reports mistakes as soon as a document is opened', async () => {
    const result = nextDiagnostics();
    await client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version, text },
    });
    const shown = await result;
    expect(shown).toMatchObject({ uri, version });
    const nickname = shown.diagnostics.find(({ code }) => code === 'group-mail-nickname');
    expect(nickname).toMatchObject({
      severity: 1,
      source: 'castellan',
      range: { start: positionOf(text, 'our shoppers') },
    });
  });

  it('explains a key and the rule that is violated there', async () => {
    const hover = await client.sendRequest<Hover>('textDocument/hover', {
      textDocument: { uri },
      position: positionOf(text, 'our shoppers', 1),
    });
    const { value } = hover.contents as { value: string };
    expect(value).toContain('**mailNickname**');
    expect(value).toContain('`group-mail-nickname`');
  });

  it('offers fixes as edits', async () => {
    const broken = text.replace('kind: security', 'kind: securty');
    const shown = await change(broken);
    const actions = await client.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: positionOf(broken, 'securty'), end: positionOf(broken, 'securty') },
      context: { diagnostics: shown.diagnostics },
    });
    expect(actions.map(({ edit }) => edit?.changes?.[uri]?.[0]?.newText)).toContain('security');
  });

  it('completes missing keys, required ones first', async () => {
    const unfinished = `${text}    desc`;
    await change(unfinished);
    const items = await client.sendRequest<CompletionItem[]>('textDocument/completion', {
      textDocument: { uri },
      position: positionOf(unfinished, '    desc', 8),
    });
    const labels = items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['description', 'visibility', 'theme']));
    expect(labels).not.toContain('mailNickname');
  });

  it('completes words and names', async () => {
    const words = `${text}    theme: `;
    await change(words);
    const themes = await client.sendRequest<CompletionItem[]>('textDocument/completion', {
      textDocument: { uri },
      position: positionOf(words, 'theme: ', 7),
    });
    expect(themes.map(({ label }) => label)).toEqual(expect.arrayContaining(['Teal', 'Red']));
    await change(text);
    const names = text.replace('[ada, grace]', '[ada, ]');
    await change(names);
    const owners = await client.sendRequest<CompletionItem[]>('textDocument/completion', {
      textDocument: { uri },
      position: positionOf(names, '[ada, ', 6),
    });
    expect(owners.map(({ label }) => label)).toEqual(expect.arrayContaining(['ada', 'grace']));
  });

  it('clears corrected mistakes', async () => {
    const shown = await change(text.replace('our shoppers', 'shoppers'));
    expect(shown.diagnostics.filter(({ severity }) => severity === 1)).toEqual([]);
  });
});
