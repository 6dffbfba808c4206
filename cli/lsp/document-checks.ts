import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import type { Finding } from '../../core/findings/finding.js';
import type { StackConfig } from '../../policies/index.js';
import { diagnosticsOf } from './diagnostics.js';
import { type CheckedFile, uriOf, type Workspace } from './workspace.js';

/** How long the editor is quiet before a document is checked, in milliseconds. */
const quiet = 120;

/** Checks the documents of an editor as they change, and sends it what is found. */
export class DocumentChecks {
  readonly #checked = new Map<string, CheckedFile>();
  readonly #lastConfig = new Map<string, StackConfig>();
  /** The files that have diagnostics because of a document. */
  readonly #filesOf = new Map<string, ReadonlySet<string>>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly connection: Connection,
    private readonly documents: TextDocuments<TextDocument>,
    private readonly workspace: Workspace,
  ) {}

  /** Checks a document once typing has stopped. */
  schedule(uri: string): void {
    clearTimeout(this.#waiting.get(uri));
    const timer = setTimeout(() => {
      this.#check(uri).catch((error: unknown) => this.connection.console.error(`the check of ${uri} failed: ${String(error)}`));
    }, quiet);
    this.#waiting.set(uri, timer);
  }

  /** Removes the diagnostics of a closed document. */
  forget(uri: string): void {
    clearTimeout(this.#waiting.get(uri));
    this.workspace.forget(uri);
    for (const file of this.#filesOf.get(uri) ?? []) void this.connection.sendDiagnostics({ uri: file, diagnostics: [] });
    for (const table of [this.#checked, this.#lastConfig, this.#filesOf, this.#waiting]) table.delete(uri);
  }

  /** The last check of a document. */
  of(uri: string): CheckedFile | undefined {
    return this.#checked.get(uri);
  }

  /** The configuration of a document when it could last be read. */
  lastConfig(uri: string): StackConfig | undefined {
    return this.#lastConfig.get(uri);
  }

  /** What was found in a document, and not in a file that it includes. */
  findingsIn(uri: string): readonly Finding[] {
    return (this.#checked.get(uri)?.findings ?? []).filter(({ location }) => location !== undefined && uriOf(location.file) === uri);
  }

  async #check(uri: string): Promise<void> {
    const { version } = this.documents.get(uri) ?? {};
    const versions = new Map(this.documents.all().map((each) => [each.uri, { version: each.version }]));
    const result = await this.workspace.check(uri);
    // what was typed meanwhile is checked by itself; an older answer must not replace the newer one
    if (version === undefined || this.documents.get(uri)?.version !== version) return;
    this.#checked.set(uri, result);
    const config = result.stacks[0]?.config;
    if (config !== undefined) this.#lastConfig.set(uri, config);
    await this.#send(uri, result.findings, versions);
  }

  async #send(uri: string, findings: readonly Finding[], versions: ReadonlyMap<string, { readonly version: number }>): Promise<void> {
    const diagnostics = diagnosticsOf(findings);
    const files = new Set([uri, ...diagnostics.keys()]);
    for (const file of this.#filesOf.get(uri) ?? [])
      if (!files.has(file)) await this.connection.sendDiagnostics({ uri: file, diagnostics: [] });
    // an editor drops what is about an older text than it shows
    for (const file of files)
      await this.connection.sendDiagnostics({ uri: file, ...versions.get(file), diagnostics: diagnostics.get(file) ?? [] });
    this.#filesOf.set(uri, files);
  }
}
