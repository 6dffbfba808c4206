import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient, type ServerOptions } from 'vscode-languageclient/node';

/** Names by which a workspace shows that it has configurations. */
const configurations = '**/castellan*.{yaml,yml}';

let client: LanguageClient | undefined;

/**
 * Starts the language server of the workspace's castellan, and again on
 * `Castellan: Restart the language server`.
 */
export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(commands.registerCommand('castellan.restart', restart));
  await start();
}

/** Ends the language server with the window. */
export async function deactivate(): Promise<void> {
  // one that did not start cannot be stopped
  if (client?.isRunning() === true) await client.stop();
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const server = serverOf(workspace.getConfiguration('castellan').get<string[]>('command', []));
  client = new LanguageClient('castellan', 'Castellan', server, {
    // The server itself decides which YAML files are configurations of castellan.
    documentSelector: [{ scheme: 'file', language: 'yaml' }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.{yaml,yml}') },
  });
  try {
    await client.start();
  } catch (error) {
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
