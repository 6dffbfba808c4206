import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Connection, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { type Hover, MarkupKind, type Position } from 'vscode-languageserver';
import { rules, type StackConfig } from '../../policies/index.js';
import type { Finding } from '../../core/findings/finding.js';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { policySchema } from '../../kinds/policy/schema.js';
import { stackSchema } from '../../kinds/stack/schema.js';
import { codeActionsIn, suppressionsIn } from './code-actions.js';
import { completionsAt } from './completion.js';
import { diagnosticsOf, rangeOf } from './diagnostics.js';
import { type CheckedFile, isPolicy, uriOf, Workspace } from './workspace.js';
import { cursorAt } from './cursor.js';

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
    const { version } = documents.get(uri) ?? {};
    const versions = new Map(documents.all().map((each) => [each.uri, { version: each.version }]));
    const result = await workspace.check(uri);
    // what was typed meanwhile is checked by itself; an older answer must not stand over it
    if (version === undefined || documents.get(uri)?.version !== version) return;
    checked.set(uri, result);
    const config = result.stacks[0]?.config;
    if (config !== undefined) lastConfig.set(uri, config);
    const diagnostics = diagnosticsOf(result.findings);
    const files = new Set([uri, ...diagnostics.keys()]);
    for (const file of shownFor.get(uri) ?? []) if (!files.has(file)) await connection.sendDiagnostics({ uri: file, diagnostics: [] });
    // an editor drops what is about an older text than it shows
    for (const file of files)
      await connection.sendDiagnostics({ uri: file, ...versions.get(file), diagnostics: diagnostics.get(file) ?? [] });
    shownFor.set(uri, files);
  }

  function schedule(uri: string): void {
    clearTimeout(waiting.get(uri));
    const timer = setTimeout(() => {
      check(uri).catch((error: unknown) => connection.console.error(`the check of ${uri} failed: ${String(error)}`));
    }, quiet);
    waiting.set(uri, timer);
  }

  connection.onShutdown(() => workspace.close());
  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      completionProvider: { triggerCharacters: [' ', ':', '[', '{', ','] },
      hoverProvider: true,
      codeActionProvider: { codeActionKinds: ['quickfix'] },
    },
    serverInfo: { name: 'castellan' },
  }));

  documents.onDidChangeContent(({ document }) => {
    workspace.set(document.uri, document.getText());
    schedule(document.uri);
  });
  documents.onDidSave(({ document }) => {
    // what is included, a policy or a rule may have changed for every open document
    for (const { uri } of documents.all()) if (uri !== document.uri) schedule(uri);
  });
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri));
    workspace.forget(uri);
    for (const file of shownFor.get(uri) ?? []) void connection.sendDiagnostics({ uri: file, diagnostics: [] });
    for (const table of [checked, lastConfig, shownFor, waiting]) table.delete(uri);
  });
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document === undefined
      ? []
      : completionsAt(document.getText(), document.offsetAt(position), { config: lastConfig.get(uri), isPolicy: isPolicy(uri) });
  });
  connection.onHover(({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    if (document === undefined) return undefined;
    const schema = isPolicy(uri) ? policySchema : stackSchema;
    return hoverAt(
      { text: document.getText(), offset: document.offsetAt(position), schema: schema as unknown as SchemaNode },
      position,
      findingsIn(uri),
    );
  });
  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const result = checked.get(uri);
    const document = documents.get(uri);
    if (result === undefined || document === undefined) return [];
    const own = findingsIn(uri);
    return [...codeActionsIn(uri, range, own, result.stacks), ...(isPolicy(uri) ? [] : suppressionsIn(document, range, own))];
  });

  /** What was found in a document, and not in a file that it includes. */
  function findingsIn(uri: string): readonly Finding[] {
    return (checked.get(uri)?.findings ?? []).filter(({ location }) => location !== undefined && uriOf(location.file) === uri);
  }

  documents.listen(connection);
  connection.listen();
}

const limitNames = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'default'];

/** A text, where the cursor is in it, and what it may hold. */
export interface HoveredText {
  readonly text: string;
  readonly offset: number;
  readonly schema: SchemaNode;
}

/** What the key under the cursor means, what it may hold, and the rules that say something about this place. */
export function hoverAt({ text, offset, schema: root }: HoveredText, position: Position, findings: readonly Finding[]): Hover | undefined {
  const lineEnd = text.indexOf('\n', offset);
  const wordEnd = offset + (/^[\w./-]*["']?\s*:?/.exec(text.slice(offset, lineEnd === -1 ? undefined : lineEnd))?.[0].length ?? 0);
  const { path, key } = cursorAt(text, Math.max(offset, wordEnd));
  const schema = schemaAt(root, key === undefined ? path : [...path, key]);
  const here = findings.filter(({ location }) => location !== undefined && contains(rangeOf(location), position));
  const parts = [...(schema === undefined ? [] : describe(key, schema)), ...new Set(here.map(({ ruleId }) => describeRule(ruleId)))];
  return parts.length === 0 ? undefined : { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') } };
}

function describe(key: string | undefined, schema: SchemaNode): string[] {
  const { description, type, enum: allowed, pattern } = schema;
  const limits = schema as Readonly<Record<string, unknown>>;
  const facts = [
    ...(type === undefined ? [] : [`type ${[type].flat().join(' or ')}`]),
    ...(allowed === undefined ? [] : [`one of ${allowed.map((word) => `\`${String(word)}\``).join(', ')}`]),
    ...limitNames.flatMap((name) => (limits[name] === undefined ? [] : [`${name} ${JSON.stringify(limits[name])}`])),
    ...(pattern === undefined ? [] : [`pattern \`${pattern}\``]),
  ];
  return [`**${key ?? ''}** ${description ?? ''}`.trim(), ...(facts.length > 0 ? [facts.join('; ')] : [])];
}

function describeRule(id: string): string {
  const rule = rules.find((each) => each.id === id);
  return rule === undefined ? `\`${id}\`` : `\`${id}\`: ${rule.title} ${rule.why} _(${rule.source})_`;
}

function contains({ start, end }: ReturnType<typeof rangeOf>, { line, character }: Position): boolean {
  const after = line > start.line || (line === start.line && character >= start.character);
  return after && (line < end.line || (line === end.line && character <= end.character));
}
