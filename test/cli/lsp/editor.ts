import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
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

/** A position in a document: line and character from 0. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** An editor that drives `castellan lsp` over standard input and output, as VS Code does. */
export class Editor {
  readonly #texts = new Map<string, string>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly #waitingCalls = new Set<() => void>();
  #version = 1;

  private constructor(
    private readonly server: ChildProcess,
    private readonly client: MessageConnection,
    private readonly uriOf: (file: string) => string,
  ) {}

  /** @param uriOf how the editor writes the URI of a file */
  static async start(uriOf = (file: string) => pathToFileURL(file).href): Promise<Editor> {
    const server = spawn(process.execPath, [cliPath, 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!server.stdout || !server.stdin) throw new Error('no streams');
    const client = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    const editor = new Editor(server, client, uriOf);
    client.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: PublishDiagnosticsParams) => {
        editor.#diagnostics.set(fileURLToPath(uri), diagnostics);
        for (const wake of editor.#waitingCalls) wake();
      },
    );
    client.listen();
    await client.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    await client.sendNotification('initialized', {});
    return editor;
  }

  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((done) => this.server.once('exit', done));
    await this.client.sendRequest('shutdown');
    await this.client.sendNotification('exit');
    const code = await ended;
    this.client.dispose();
    return code;
  }

  async open(file: string, text: string): Promise<void> {
    this.#texts.set(file, text);
    const textDocument = {
      uri: this.uriOf(file),
      languageId: 'yaml',
      version: this.#version,
      text,
    };
    await this.client.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Types: replaces the whole document, or a part of it. */
  async change(
    file: string,
    text: string,
    range?: { readonly start: Place; readonly end: Place },
  ): Promise<void> {
    if (range === undefined) this.#texts.set(file, text);
    const textDocument = { uri: this.uriOf(file), version: ++this.#version };
    await this.client.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [range === undefined ? { text } : { text, range }],
    });
  }

  /** Closes a document without saving it. */
  async close(file: string): Promise<void> {
    const textDocument = { uri: this.uriOf(file) };
    await this.client.sendNotification('textDocument/didClose', { textDocument });
  }

  /** Tells the server that another program wrote a file. */
  async reportChangeOnDisk(file: string): Promise<void> {
    const changes = [{ uri: this.uriOf(file), type: 2 }];
    await this.client.sendNotification('workspace/didChangeWatchedFiles', { changes });
  }

  /** Waits until a file shows what is wanted; what it showed at last where it never does. */
  async waitForDiagnostics(
    file: string,
    isExpected: (codes: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    const codes = (): readonly string[] =>
      (this.#diagnostics.get(file) ?? []).map(
        ({ code, range }) => `${String(range.start.line + 1)} ${String(code)}`,
      );
    const deadline = Date.now() + 20_000;
    while (!(this.#diagnostics.has(file) && isExpected(codes())) && Date.now() < deadline)
      await new Promise<void>((done) => {
        const timer = setTimeout(wake, deadline - Date.now());
        const waitingCalls = this.#waitingCalls;
        function wake(): void {
          clearTimeout(timer);
          waitingCalls.delete(wake);
          done();
        }
        waitingCalls.add(wake);
      });
    return codes();
  }

  diagnostics(file: string): readonly Diagnostic[] {
    return this.#diagnostics.get(file) ?? [];
  }

  /** The position some characters into a text of a document, by default at its end. */
  placeOf(file: string, marker: string, offset = marker.length): Place {
    const text = this.#texts.get(file) ?? '';
    const before = text.slice(0, text.indexOf(marker) + offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  }

  /** Any other question about a position. */
  ask<Answer>(method: string, file: string, position: Place, more: object = {}): Promise<Answer> {
    const textDocument = { uri: this.uriOf(file) };
    return this.client.sendRequest<Answer>(method, { textDocument, position, ...more });
  }

  async complete(file: string, position: Place): Promise<readonly string[]> {
    const params = { textDocument: { uri: this.uriOf(file) }, position };
    return (await this.client.sendRequest<CompletionItem[]>('textDocument/completion', params)).map(
      ({ label }) => label,
    );
  }

  async hover(file: string, position: Place): Promise<string> {
    const params = { textDocument: { uri: this.uriOf(file) }, position };
    const hover = await this.client.sendRequest<Hover | null>('textDocument/hover', params);
    return (hover?.contents as { value: string } | undefined)?.value ?? '';
  }

  actions(file: string, position: Place): Promise<CodeAction[]> {
    const params = {
      textDocument: { uri: this.uriOf(file) },
      range: { start: position, end: position },
      context: { diagnostics: this.diagnostics(file) },
    };
    return this.client.sendRequest<CodeAction[]>('textDocument/codeAction', params);
  }
}
