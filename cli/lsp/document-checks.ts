import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import type { Finding } from '../../core/findings/finding.js';
import type { StackConfig } from '../../policies/index.js';
import { diagnosticsOf } from './diagnostics.js';
import { type CheckedFile, uriOf, type Workspace } from './workspace.js';

/** The pause in typing before a document is checked, in milliseconds. */
const quiet = 120;

/** Checks the documents of an editor after changes, and sends it the findings. */
export class DocumentChecks {
  readonly #checked = new Map<string, CheckedFile>();
  readonly #lastConfig = new Map<string, StackConfig>();
  /** The files with diagnostics because of a document. */
  readonly #filesOf = new Map<string, ReadonlySet<string>>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly connection: Connection,
    private readonly documents: TextDocuments<TextDocument>,
    private readonly workspace: Workspace,
  ) {}

  /** Checks a document after typing has paused. */
  schedule(uri: string): void {
    clearTimeout(this.#waiting.get(uri));
    const timer = setTimeout(() => {
      this.#check(uri).catch((error: unknown) =>
        this.connection.console.error(`the check of ${uri} failed: ${String(error)}`),
      );
    }, quiet);
    this.#waiting.set(uri, timer);
  }

  /** Removes the diagnostics of a closed document. */
  forget(uri: string): void {
    clearTimeout(this.#waiting.get(uri));
    this.workspace.forget(uri);
    for (const file of this.#filesOf.get(uri) ?? [])
      void this.connection.sendDiagnostics({ uri: file, diagnostics: [] });
    for (const table of [this.#checked, this.#lastConfig, this.#filesOf, this.#waiting])
      table.delete(uri);
  }

  /** The last check of a document. */
  of(uri: string): CheckedFile | undefined {
    return this.#checked.get(uri);
  }

  /** The configuration of a document when it was last readable. */
  lastConfig(uri: string): StackConfig | undefined {
    return this.#lastConfig.get(uri);
  }

  /** The findings in a document, without those in its includes. */
  findingsIn(uri: string): readonly Finding[] {
    return (this.#checked.get(uri)?.findings ?? []).filter(
      ({ location }) => location !== undefined && uriOf(location.file) === uri,
    );
  }

  async #check(uri: string): Promise<void> {
    const { version } = this.documents.get(uri) ?? {};
    const versions = new Map(
      this.documents.all().map((each) => [each.uri, { version: each.version }]),
    );
    const result = await this.workspace.check(uri);
    // a later edit starts its own check; an older result must not replace the newer one
    if (version === undefined || this.documents.get(uri)?.version !== version) return;
    this.#checked.set(uri, result);
    const config = result.stacks[0]?.config;
    if (config !== undefined) this.#lastConfig.set(uri, config);
    await this.#send(uri, result, versions);
  }

  async #send(
    uri: string,
    checked: CheckedFile,
    versions: ReadonlyMap<string, { readonly version: number }>,
  ): Promise<void> {
    const diagnostics = diagnosticsOf(checked);
    const files = new Set([uri, ...diagnostics.keys()]);
    for (const file of this.#filesOf.get(uri) ?? [])
      if (!files.has(file)) await this.connection.sendDiagnostics({ uri: file, diagnostics: [] });
    // an editor drops diagnostics of an older text than it shows
    for (const file of files)
      await this.connection.sendDiagnostics({
        uri: file,
        ...versions.get(file),
        diagnostics: diagnostics.get(file) ?? [],
      });
    this.#filesOf.set(uri, files);
  }
}
