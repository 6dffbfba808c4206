import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
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
  ) {}

  static async start(): Promise<Editor> {
    const server = spawn(process.execPath, [cliPath, 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!server.stdout || !server.stdin) throw new Error('no streams');
    const client = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    const editor = new Editor(server, client);
    client.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: PublishDiagnosticsParams) => {
        editor.#diagnostics.set(uri, diagnostics);
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
      uri: pathToFileURL(file).href,
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
    const textDocument = { uri: pathToFileURL(file).href, version: ++this.#version };
    await this.client.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [range === undefined ? { text } : { text, range }],
    });
  }

  /** Waits until a file shows what is wanted; what it showed at last where it never does. */
  async waitForDiagnostics(
    file: string,
    isExpected: (codes: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    const uri = pathToFileURL(file).href;
    const codes = (): readonly string[] =>
      (this.#diagnostics.get(uri) ?? []).map(
        ({ code, range }) => `${String(range.start.line + 1)} ${String(code)}`,
      );
    const deadline = Date.now() + 20_000;
    while (!(this.#diagnostics.has(uri) && isExpected(codes())) && Date.now() < deadline)
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
    return this.#diagnostics.get(pathToFileURL(file).href) ?? [];
  }

  /** The position some characters into a text of a document, by default at its end. */
  placeOf(file: string, marker: string, offset = marker.length): Place {
    const text = this.#texts.get(file) ?? '';
    const before = text.slice(0, text.indexOf(marker) + offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  }

  /** Any other question about a position. */
  ask<Answer>(method: string, file: string, position: Place, more: object = {}): Promise<Answer> {
    const textDocument = { uri: pathToFileURL(file).href };
    return this.client.sendRequest<Answer>(method, { textDocument, position, ...more });
  }

  async complete(file: string, position: Place): Promise<readonly string[]> {
    const params = { textDocument: { uri: pathToFileURL(file).href }, position };
    return (await this.client.sendRequest<CompletionItem[]>('textDocument/completion', params)).map(
      ({ label }) => label,
    );
  }

  async hover(file: string, position: Place): Promise<string> {
    const params = { textDocument: { uri: pathToFileURL(file).href }, position };
    const hover = await this.client.sendRequest<Hover | null>('textDocument/hover', params);
    return (hover?.contents as { value: string } | undefined)?.value ?? '';
  }

  actions(file: string, position: Place): Promise<CodeAction[]> {
    const uri = pathToFileURL(file).href;
    const params = {
      textDocument: { uri },
      range: { start: position, end: position },
      context: { diagnostics: this.diagnostics(file) },
    };
    return this.client.sendRequest<CodeAction[]>('textDocument/codeAction', params);
  }
}
