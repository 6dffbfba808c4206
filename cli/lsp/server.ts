import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Connection } from 'vscode-languageserver/node';
import { TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import type { StackConfig } from '../../policies/index.js';
import { codeActionsIn } from './code-actions.js';
import { completionsAt } from './completion.js';
import { diagnosticsOf } from './diagnostics.js';
import { hoverAt } from './hover.js';
import type { CheckedFile } from './workspace.js';
import { Workspace } from './workspace.js';

/** How long the editor is quiet before a document is checked, in milliseconds. */
const quiet = 120;

/**
 * Serves an editor over the Language Server Protocol: diagnostics as one types, completion of names and values, hover with the rule, code
 * actions from fixes.
 */
export function serve(connection: Connection, env: Readonly<Record<string, string | undefined>>): void {
  const documents = new TextDocuments(TextDocument);
  const workspace = new Workspace(env);
  const checked = new Map<string, CheckedFile>();
  const lastConfig = new Map<string, StackConfig>();
  const shownFor = new Map<string, Set<string>>();
  const waiting = new Map<string, NodeJS.Timeout>();

  async function check(uri: string): Promise<void> {
    const result = await workspace.check(uri);
    if (documents.get(uri) === undefined) return;
    checked.set(uri, result);
    const config = result.stacks[0]?.config;
    if (config !== undefined) lastConfig.set(uri, config);
    const diagnostics = diagnosticsOf(result.findings);
    const files = new Set([uri, ...diagnostics.keys()]);
    for (const file of shownFor.get(uri) ?? []) if (!files.has(file)) await connection.sendDiagnostics({ uri: file, diagnostics: [] });
    for (const file of files) await connection.sendDiagnostics({ uri: file, diagnostics: diagnostics.get(file) ?? [] });
    shownFor.set(uri, files);
  }

  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: [' ', ':', '[', '{', ','] },
      hoverProvider: true,
      codeActionProvider: { codeActionKinds: ['quickfix'] },
    },
    serverInfo: { name: 'castellan' },
  }));

  documents.onDidChangeContent(({ document }) => {
    workspace.set(document.uri, document.getText());
    clearTimeout(waiting.get(document.uri));
    const timer = setTimeout(() => {
      check(document.uri).catch((error: unknown) => connection.console.error(`the check of ${document.uri} failed: ${String(error)}`));
    }, quiet);
    waiting.set(document.uri, timer);
  });
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri));
    workspace.forget(uri);
    for (const file of shownFor.get(uri) ?? []) void connection.sendDiagnostics({ uri: file, diagnostics: [] });
    for (const table of [checked, lastConfig, shownFor, waiting]) table.delete(uri);
  });
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document === undefined ? [] : completionsAt(document.getText(), document.offsetAt(position), lastConfig.get(uri));
  });
  connection.onHover(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    if (document === undefined) return undefined;
    return hoverAt(document.getText(), document.offsetAt(position), position, checked.get(uri)?.findings ?? []);
  });
  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const result = checked.get(uri);
    return result === undefined ? [] : codeActionsIn(uri, range, result.findings, result.stacks);
  });

  documents.listen(connection);
  connection.listen();
}
