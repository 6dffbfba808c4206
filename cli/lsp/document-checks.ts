import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import type { Finding } from '../../core/findings/finding.js';
import type { LoadedStack } from '../../policies/index.js';
import { diagnosticsOf } from './diagnostics.js';
import { type EditorCheckResult, isPolicy, uriOf, type Workspace } from './workspace.js';

/** The pause in typing before a document is checked, in milliseconds. */
const typingPauseMs = 120;

/** Checks the documents of an editor after changes, and sends it the findings. */
export class DocumentChecks {
  readonly #lastResults = new Map<string, VersionedResult>();
  /** The stacks around a document when they could be read. */
  readonly #lastStacks = new Map<string, readonly LoadedStack[]>();
  /** The files that have diagnostics in the editor. */
  #filesWithDiagnostics: ReadonlySet<string> = new Set();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The check of each document that was started last. */
  readonly #lastChecks = new Map<string, Promise<EditorCheckResult>>();

  constructor(
    private readonly connection: Connection,
    private readonly documents: TextDocuments<TextDocument>,
    private readonly workspace: Workspace,
  ) {}

  /** Checks a changed document after typing has paused, and those whose check may read it. */
  documentChanged(uri: string): void {
    this.schedule(uri);
    this.#scheduleReaders(uri);
  }

  /** Checks all open documents: what they read may have changed. */
  scheduleAll(): void {
    for (const { uri } of this.documents.all()) this.schedule(uri);
  }

  /** Checks the other documents whose check may read a document. */
  #scheduleReaders(uri: string): void {
    for (const [other, { stacks }] of this.#lastResults)
      if (other !== uri && (isPolicy(uri) || filesOf(stacks).has(uri))) this.schedule(other);
  }

  /** Checks a document after typing has paused. */
  schedule(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    const timer = setTimeout(() => {
      this.#check(uri).catch((error: unknown) =>
        this.connection.console.error(`the check of ${uri} failed: ${String(error)}`),
      );
    }, typingPauseMs);
    this.#timers.set(uri, timer);
  }

  /** Stops the checks of a closed document, and removes its diagnostics. */
  documentClosed(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.workspace.closeText(uri);
    for (const table of [this.#lastResults, this.#lastStacks, this.#timers, this.#lastChecks])
      table.delete(uri);
    void this.#sendDiagnostics(this.#versions());
    this.#scheduleReaders(uri); // its file on disk may differ from the text that was open
  }

  /** The result of the last check of a document. */
  lastResultOf(uri: string): EditorCheckResult | undefined {
    return this.#lastResults.get(uri);
  }

  /**
   * The result of a check of a document as it is now, for edits: the places of an older one would be
   * others by now. Undefined where the document changes meanwhile.
   */
  async currentResultOf(uri: string): Promise<EditorCheckResult | undefined> {
    const isCurrent = (): boolean =>
      this.#lastResults.get(uri)?.version === this.documents.get(uri)?.version;
    if (!isCurrent()) {
      clearTimeout(this.#timers.get(uri));
      await this.#check(uri);
    }
    return isCurrent() ? this.#lastResults.get(uri) : undefined;
  }

  /** The stacks that a document belongs to, when it was last readable. */
  lastReadableStacksOf(uri: string): readonly LoadedStack[] {
    return this.#lastStacks.get(uri) ?? [];
  }

  /** The findings in a document, without those in its includes. */
  findingsIn(uri: string): readonly Finding[] {
    return (this.#lastResults.get(uri)?.findings ?? []).filter(
      ({ location }) => location !== undefined && uriOf(location.file) === uri,
    );
  }

  async #check(uri: string): Promise<void> {
    const { version } = this.documents.get(uri) ?? {};
    const versions = this.#versions();
    const check = this.workspace.check(uri);
    this.#lastChecks.set(uri, check);
    const result = await check;
    // a later edit, of this document or of one that its check reads, starts another check; an older
    // result must not replace the newer one
    if (version === undefined || this.documents.get(uri)?.version !== version) return;
    if (this.#lastChecks.get(uri) !== check) return;
    this.#lastResults.set(uri, { ...result, version });
    const readingStacks = result.stacks.filter((stack) => hasReadFile(stack, uri));
    if (readingStacks.length > 0) this.#lastStacks.set(uri, readingStacks);
    await this.#sendDiagnostics(versions);
  }

  /**
   * Sends the findings of all documents' checks: a file may have some of several, since each
   * configuration that includes it, and each of its environments, is judged by itself.
   */
  async #sendDiagnostics(versions: Versions): Promise<void> {
    const checks = [...this.#lastResults.values()];
    const diagnostics = diagnosticsOf({
      findings: checks.flatMap(({ findings }) => findings),
      stacks: checks.flatMap(({ stacks }) => stacks),
    });
    const shownFiles = new Set([...this.#lastResults.keys(), ...diagnostics.keys()]);
    const files = new Set([...this.#filesWithDiagnostics, ...shownFiles]);
    this.#filesWithDiagnostics = shownFiles;
    // sent at once, so that those of a later check come after all of them; an editor drops
    // diagnostics of an older text than it shows
    await Promise.all(
      [...files].map((file) =>
        this.connection.sendDiagnostics({
          uri: file,
          ...versions.get(file),
          diagnostics: diagnostics.get(file) ?? [],
        }),
      ),
    );
  }

  #versions(): Versions {
    return new Map(this.documents.all().map(({ uri, version }) => [uri, { version }]));
  }
}

/** The result of a check, and the version of the document that was checked. */
interface VersionedResult extends EditorCheckResult {
  readonly version: number;
}

type Versions = ReadonlyMap<string, { readonly version: number }>;

function filesOf(stacks: readonly LoadedStack[]): ReadonlySet<string> {
  return new Set(stacks.flatMap(({ files }) => files.map(uriOf)));
}

/** Whether a file is among those that a stack could read. */
function hasReadFile({ layers }: LoadedStack, uri: string): boolean {
  return layers.documents.some(({ source }) => uriOf(source.file) === uri);
}
