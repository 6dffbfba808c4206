import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporarySocketFolder } from '../core/process/socket-path.js';
import { omitUndefined } from '../core/values/omit-undefined.js';
import { connectFromConfig } from './connect-from-config.js';
import { handshakeLine, mutualTls, requireLaunchedByTerraform } from './protocol/handshake.js';
import { listen } from './protocol/listener.js';
import { loadProvider } from './providers.js';
import { CreationJournal } from './server/creation-journal.js';
import type { Provider } from './handlers/handler.js';
import { type Log, ProviderServer } from './server/provider-server.js';
import type { TerraformRun } from './terraform-runs.js';

/** The parts of the process that a launched provider uses; tests replace them. */
export interface PluginProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** The process that started this one, now. */
  parent(): number;
}

/** How often, in milliseconds, a plugin checks whether its terraform is still running. */
const parentCheckIntervalMs = 2000;

/**
 * castellan/castellan as a plugin that Terraform launches: creates its certificate, listens, prints
 * the address in one line on stdout, and serves until it is asked to stop or its parent process has
 * ended. It connects to the services with its provider block and the environment (ARM_*, FABRIC_*).
 *
 * @returns when the provider has ended.
 * @throws CAS3005 when started by hand.
 */
export async function runPlugin(process: PluginProcess): Promise<void> {
  const { env } = process;
  requireLaunchedByTerraform(env);
  const provider = await loadProvider('castellan', (config) => connectFromConfig(config, env));
  const folder = mkdtempSync(join(temporarySocketFolder('cas-XXXXXX/plugin'), 'cas-'));
  try {
    await servePlugin(provider, join(folder, 'plugin'), process);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Listens on a socket, prints its address, and serves until Terraform has ended. */
async function servePlugin(
  provider: Provider,
  socketPath: string,
  process: PluginProcess,
): Promise<void> {
  const { env } = process;
  const parentId = process.parent();
  let requestExit: () => void = () => undefined;
  const exit = new Promise<void>((done) => (requestExit = done));
  const clientCertificate = env['PLUGIN_CLIENT_CERT'];
  const tls =
    clientCertificate === undefined || clientCertificate === ''
      ? undefined
      : mutualTls(clientCertificate);
  const log = logTo(process.stderr);
  const journal = openJournal(env, log, { pid: parentId, folder: '.' });
  const server = new ProviderServer(provider, log, journal, 'abort');
  const listener = await listen(server, {
    socketPath,
    onShutdown: requestExit,
    ...omitUndefined({ credentials: tls?.credentials }),
  });
  const parentCheck = setInterval(
    () => process.parent() !== parentId && requestExit(),
    parentCheckIntervalMs,
  );
  try {
    process.stdout.write(handshakeLine(socketPath, tls?.certificate));
    await exit;
  } finally {
    clearInterval(parentCheck);
    await listener.close();
  }
}

/**
 * The journal of objects that killed runs of this workspace created and no state contains yet, in
 * Terraform's data folder. Plugins run in Terraform's working folder.
 */
function openJournal(
  env: PluginProcess['env'],
  log: Log,
  run: TerraformRun,
): CreationJournal | undefined {
  const dataFolder = env['TF_DATA_DIR'] || '.terraform';
  try {
    return new CreationJournal(
      join(
        dataFolder,
        'castellan',
        'creations',
        env['TF_WORKSPACE'] || selectedWorkspace(dataFolder),
      ),
      () => Promise.resolve([run]),
    );
  } catch (error) {
    log({
      level: 'warn',
      message: `what is created can't be remembered for the run after a crash: ${(error as Error).message}`,
    });
    return undefined;
  }
}

/**
 * The workspace selected by `terraform workspace select`. Each has its own state and journal, so
 * that one workspace never adopts the objects of another.
 */
function selectedWorkspace(dataFolder: string): string {
  const file = join(dataFolder, 'environment');
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || 'default';
}

/** Log lines in the form that Terraform copies to its own log (`TF_LOG`). */
function logTo(stderr: PluginProcess['stderr']): Log {
  return ({ level, message }) =>
    stderr.write(
      `${JSON.stringify({ '@level': level, '@message': message, '@timestamp': new Date().toISOString() })}\n`,
    );
}

/** The program behind `terraform-provider-castellan`: runs until Terraform ends it. */
export function main(): void {
  // Ctrl-C reaches the whole process group; Terraform decides when its plugins stop.
  process.on('SIGINT', () => undefined);
  const { env, stdout, stderr } = process;
  runPlugin({ env, stdout, stderr, parent: () => process.ppid }).then(
    () => process.exit(0),
    (error: unknown) => {
      stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}
