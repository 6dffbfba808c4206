import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../support/cli.js';

/** What the editor shows and runs, as far as the extension uses it, for a workspace of `files`. */
function editor(files: readonly string[]) {
  const commands = new Map<string, () => Promise<void>>();
  const errors: string[] = [];
  return {
    commands,
    errors,
    api: {
      commands: {
        registerCommand: (name: string, run: () => Promise<void>) => {
          commands.set(name, run);
          return { dispose: () => undefined };
        },
      },
      window: {
        showErrorMessage: (text: string) => errors.push(text),
        createOutputChannel: () => ({}),
      },
      workspace: {
        getConfiguration: () => ({ get: () => [] }),
        createFileSystemWatcher: () => ({}),
        findFiles: () => Promise.resolve(files),
        workspaceFolders: [],
      },
    },
  };
}

/**
 * A client of a server that is installed or not, and may hang while it starts or ends; disposed of
 * where it isn't running, it ends the process and throws.
 */
function clients(server: { isInstalled: boolean; hangs?: 'at start' | 'at end' }) {
  const events: string[] = [];
  class LanguageClient {
    private running = false;
    private fail: (reason: Error) => void = () => undefined;
    async start(): Promise<void> {
      await Promise.resolve();
      if (!server.isInstalled) throw new Error('spawn castellan ENOENT');
      if (server.hangs === 'at start') {
        events.push('starting');
        await new Promise((_, reject) => (this.fail = reject));
      }
      this.running = true;
      events.push('started');
    }
    async dispose(): Promise<void> {
      await Promise.resolve();
      this.fail(new Error('connection got disposed'));
      if (server.hangs !== undefined) {
        events.push('ended');
        throw new Error('Stopping the server timed out');
      }
      if (!this.running) throw new Error("Client is not running and can't be stopped.");
      this.running = false;
      events.push('stopped');
    }
  }
  return { events, LanguageClient };
}

interface Extension {
  readonly activate: (context: { subscriptions: unknown[] }) => Promise<void>;
  readonly deactivate: () => Promise<void>;
}

/** The extension's own code, with modules in the place of the editor's. */
async function loadExtension(modules: Record<string, unknown>): Promise<Extension> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'editors/vscode/src/extension.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: Object.keys(modules),
    write: false,
  });
  const module = { exports: {} as Extension };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    (name: string) => modules[name] ?? process.getBuiltinModule(name),
  );
  return module.exports;
}

describe('the extension for Visual Studio Code', () => {
  it('starts the language server on restart once castellan is installed', async () => {
    const { api, commands, errors } = editor(['castellan.yaml']);
    const server = { isInstalled: false };
    const { events, LanguageClient } = clients(server);
    const extension = await loadExtension({
      vscode: api,
      'vscode-languageclient/node': { LanguageClient },
    });
    await extension.activate({ subscriptions: [] });
    expect(errors).toEqual([
      expect.stringMatching(
        /^Castellan: castellan lsp --stdio does not start: spawn castellan ENOENT/,
      ),
    ]);
    server.isInstalled = true;
    await commands.get('castellan.restart')?.();
    await commands.get('castellan.restart')?.();
    await extension.deactivate();
    expect(events).toEqual(['started', 'stopped', 'started', 'stopped']);
    expect(errors).toHaveLength(1);
  });

  it.each(['at start', 'at end'] as const)(
    'ends a server that hangs %s on restart',
    async (hangs) => {
      const { api, commands, errors } = editor(['castellan.yaml']);
      const server: Parameters<typeof clients>[0] = { isInstalled: true, hangs };
      const { events, LanguageClient } = clients(server);
      const extension = await loadExtension({
        vscode: api,
        'vscode-languageclient/node': { LanguageClient },
      });
      const activation = extension.activate({ subscriptions: [] });
      if (hangs === 'at end') await activation;
      await new Promise((resolve) => setTimeout(resolve));
      const restart = commands.get('castellan.restart')?.();
      await new Promise((resolve) => setTimeout(resolve));
      if (hangs === 'at end') await restart;
      expect(events).toEqual(
        hangs === 'at end' ? ['started', 'ended', 'started'] : ['starting', 'ended', 'starting'],
      );
      expect(errors).toEqual([]);
    },
  );

  it('says nothing of a server that is not installed where nothing is declared', async () => {
    const { api, errors } = editor([]);
    const { LanguageClient } = clients({ isInstalled: false });
    const extension = await loadExtension({
      vscode: api,
      'vscode-languageclient/node': { LanguageClient },
    });
    await extension.activate({ subscriptions: [] });
    expect(errors).toEqual([]);
  });
});
