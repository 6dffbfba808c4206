import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commands, type ExtensionContext, window, workspace } from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';

/** Names by which a workspace shows that it has configurations. */
const configurations = '**/castellan*.{yaml,yml}';

let client: LanguageClient | undefined;
/** What each client uses in turn; set once the extension is active. */
let shared: Pick<LanguageClientOptions, 'outputChannel' | 'synchronize'> = {};

/**
 * Starts the language server of the workspace's castellan, and again on
 * `Castellan: Restart the language server`.
 */
export async function activate(context: ExtensionContext): Promise<void> {
  const outputChannel = window.createOutputChannel('Castellan');
  const fileEvents = workspace.createFileSystemWatcher('**/*.{yaml,yml}');
  shared = { outputChannel, synchronize: { fileEvents } };
  context.subscriptions.push(
    commands.registerCommand('castellan.restart', restart),
    outputChannel,
    fileEvents,
  );
  await start();
}

/** Ends the language server with the window. */
export async function deactivate(): Promise<void> {
  const previous = client;
  client = undefined;
  // fails for a server that did not start or does not answer, and ends its process all the same
  await previous?.dispose().catch(() => undefined);
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const server = serverOf(workspace.getConfiguration('castellan').get<string[]>('command', []));
  const started = new LanguageClient('castellan', 'Castellan', server, {
    // The server itself decides which YAML files are configurations of castellan.
    documentSelector: [{ scheme: 'file', language: 'yaml' }],
    ...shared,
  });
  client = started;
  try {
    await started.start();
  } catch (error) {
    if (client !== started) return; // a restart has ended it
    // other YAML opens, too, where nobody needs castellan
    const [configuration] = await workspace.findFiles(configurations, '**/node_modules/**', 1);
    if (configuration === undefined) return;
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(
      `Castellan: ${commandLine(server)} does not start: ${reason} Install it (npm install --save-dev castellan) or set castellan.command.`,
    );
  }
}

/** The command of the setting, else the workspace's own castellan, else the one on the PATH. */
function serverOf(
  configured: readonly string[],
): ServerOptions & { command: string; args: string[] } {
  const [program, ...args] = configured;
  if (program !== undefined) return { command: program, args };
  for (const folder of workspace.workspaceFolders ?? []) {
    const script = join(folder.uri.fsPath, 'node_modules', 'castellan', 'dist', 'cli', 'bin.js');
    if (existsSync(script)) return { command: 'node', args: [script, 'lsp', '--stdio'] };
  }
  return { command: 'castellan', args: ['lsp', '--stdio'] };
}

function commandLine({
  command: program,
  args,
}: {
  command: string;
  args: readonly string[];
}): string {
  return [program, ...args].join(' ');
}
