import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Connection,
  createConnection,
  type InitializeResult,
  type MarkupContent,
  MarkupKind,
  type Message,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node.js';
import { isObject } from '../../core/values/is-object.js';
import type { SchemaNode } from '../../policies/engine/schema-paths.js';
import { policySchema } from '../../kinds/policy/schema.js';
import { stackSchema } from '../../kinds/stack/schema.js';
import { quickFixesIn, fixAllIn, fixAllKind, suppressionActionsIn } from './code-actions.js';
import { completionContext, completionsAt } from './completion.js';
import { DocumentChecks } from './document-checks.js';
import { appAt, hoverAt, keyAt } from './hover.js';
import { registerSymbolRequests } from './symbol-requests.js';
import { canonicalUri, isPolicy, Workspace } from './workspace.js';

const initializeResult: InitializeResult = {
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    completionProvider: { triggerCharacters: [' ', ':', '[', '{', ','] },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    codeActionProvider: { codeActionKinds: ['quickfix', fixAllKind] },
  },
  serverInfo: { name: 'castellan' },
};

/**
 * Serves an editor over the Language Server Protocol on standard input and output: diagnostics
 * while typing, completion of names and values, hover with the rule, code actions from fixes, and
 * definition, references and rename of names.
 *
 * @returns when the editor has ended the connection.
 */
export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout, {
    messageStrategy: { handleMessage: (message, next) => next(withCanonicalUri(message)) },
  });
  const exit = new Promise<void>((finish) => connection.onExit(finish));
  const documents = new TextDocuments(TextDocument);
  const workspace = new Workspace(env);
  const checks = new DocumentChecks(connection, documents, workspace);
  connection.onInitialize(() => initializeResult);
  connection.onShutdown(() => workspace.close());
  documents.onDidChangeContent(({ document }) => {
    workspace.setText(document.uri, document.getText());
    checks.documentChanged(document.uri);
  });
  // an include, a policy or a rule may have changed for every open document
  documents.onDidSave(() => checks.scheduleAll());
  connection.onDidChangeWatchedFiles(() => {
    workspace.diskChanged();
    checks.scheduleAll();
  });
  documents.onDidClose(({ document }) => checks.documentClosed(document.uri));
  registerPositionRequests(connection, documents, { workspace, checks }, env);
  registerSymbolRequests(connection, documents, workspace);
  documents.listen(connection);
  connection.listen();
  await exit;
}

/** A message of the editor with the {@link canonicalUri} of the document that it is about. */
function withCanonicalUri(message: Message): Message {
  const { params } = message as { readonly params?: unknown } & Message;
  const textDocument = isObject(params) ? params['textDocument'] : undefined;
  if (!isObject(textDocument) || typeof textDocument['uri'] !== 'string') return message;
  const uri = canonicalUri(textDocument['uri']);
  return {
    ...message,
    params: { ...(params as object), textDocument: { ...textDocument, uri } },
  } as Message;
}

/** Answers requests about a position: completions, hover texts and code actions. */
function registerPositionRequests(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  { workspace, checks }: { readonly workspace: Workspace; readonly checks: DocumentChecks },
  env: Readonly<Record<string, string | undefined>>,
): void {
  connection.onCompletion(async ({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    if (document === undefined || !(await workspace.isCastellanFile(uri))) return [];
    const [text, offset] = [document.getText(), document.offsetAt(position)];
    const context = completionContext({ uri, text, offset }, checks.lastReadableStacksOf(uri));
    return completionsAt(text, offset, context);
  });
  connection.onHover(async ({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    if (document === undefined || !(await workspace.isCastellanFile(uri))) return undefined;
    const [text, offset] = [document.getText(), document.offsetAt(position)];
    const schema = (isPolicy(uri) ? policySchema : stackSchema) as unknown as SchemaNode;
    const hover = hoverAt({ text, offset, schema }, position, checks.findingsIn(uri));
    const app = isPolicy(uri) ? undefined : appAt(keyAt(text, offset).path);
    if (app === undefined) return hover;
    const { accessHover } = await import('./access-hover.js');
    const access = await accessHover(app, checks.lastResultOf(uri)?.stacks ?? [], env).catch(
      (error: unknown) => {
        connection.console.error(`who gets into ${app} is not known: ${String(error)}`);
        return undefined;
      },
    );
    const value = [
      access,
      hover === undefined ? undefined : (hover.contents as MarkupContent).value,
    ]
      .filter((part) => part !== undefined)
      .join('\n\n---\n\n');
    return value === '' ? undefined : { contents: { kind: MarkupKind.Markdown, value } };
  });
  connection.onCodeAction(async ({ textDocument: { uri }, range, context: { only } }) => {
    const result = await checks.currentResultOf(uri);
    const document = documents.get(uri);
    if (result === undefined || document === undefined) return [];
    const findings = checks.findingsIn(uri);
    if (only?.some((kind) => `${fixAllKind}.`.startsWith(`${kind}.`)) === true)
      return fixAllIn(uri, findings, result.stacks);
    return [
      ...quickFixesIn(uri, range, findings, result.stacks),
      ...(isPolicy(uri) ? [] : suppressionActionsIn(document, range, findings)),
    ];
  });
}
