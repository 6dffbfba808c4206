import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { notePrefix } from './app-log.js';
import { forwardToIpv6, freePort, waitUntilAccepting } from './local-port.js';
import { endProcess, type Processes } from './processes.js';
import type { ReplicaContext, Workload, WorkloadSpec } from './workload.js';

/** Variables of Terraform and of the cloud's clients, which an app does not inherit. */
const notInheritedNames = /^(ARM_|TF_|FABRIC_|AZURE_|IDENTITY_|SSL_CERT_FILE$|DATABASE_URL$)/;

/** How long the last output of a command may arrive after its end, in milliseconds. */
const lastOutputMs = 500;

/**
 * Runs an app by its `sandbox.command`, in a shell; `PORT` is the port to listen on. Waits until it
 * accepts connections, has ended, or its start is cancelled.
 */
export async function startCommand(
  spec: WorkloadSpec & { readonly command: string },
  { index, openOutput, onEnd, signal }: ReplicaContext,
  processes: Processes,
  log: Logger,
): Promise<Workload> {
  const port = await freePort();
  const writeOutput = openOutput();
  const inheritedEnv = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !notInheritedNames.test(name)),
  );
  const child = processes.spawn(spec.command, [], {
    shell: true,
    cwd: spec.workingDirectory,
    env: {
      ...inheritedEnv,
      ...spec.env,
      PORT: String(port),
      CONTAINER_APP_NAME: spec.app,
      CONTAINER_APP_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** Why it can't run. */
  let failure: string | undefined;
  /** How it ended. */
  let endReason: string | undefined;
  let lastLine = '';
  const failureReason = (): string | undefined =>
    failure ??
    (endReason === undefined || lastLine === '' ? endReason : `${endReason}: ${lastLine}`);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lastLine = text.trim().split('\n').at(-1)?.slice(0, 300) || lastLine;
      writeOutput(text);
      log.debug({ app: spec.app, replica: index, output: text.trimEnd() });
    });
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  // the last words say why it ended; a program that it left behind may keep the output open
  const outputEnd = (): Promise<void> =>
    Promise.race([closed, wait(lastOutputMs, undefined, { ref: false })]);
  child.once('error', (error) => (failure = `the command can't be run: ${error.message}`));
  child.once('exit', (code, signalName) => {
    const note = `the command ended (${signalName ?? `exit code ${String(code)}`})`;
    endReason = note;
    onEnd();
    void outputEnd().then(() => writeOutput(`${notePrefix}${note}\n`));
  });
  const address = await waitUntilAccepting(
    port,
    () => failureReason() !== undefined || signal.aborted,
  );
  if (endReason !== undefined) await outputEnd();
  // sign-in layers and ingress connect to 127.0.0.1
  const endForwarding =
    address === '::1'
      ? await forwardToIpv6(port).catch(async (error: unknown) => {
          await endProcess(child);
          throw error;
        })
      : () => undefined;
  if (address === undefined && failureReason() === undefined) {
    failure = signal.aborted
      ? 'the start of the command was cancelled'
      : `the command does not accept connections at the port that PORT names (${port})`;
    await endProcess(child);
  }
  return {
    port,
    isReady: () => failureReason() === undefined,
    failure: failureReason,
    unreadyReason: () => undefined,
    stop: () => {
      endForwarding();
      return endProcess(child);
    },
  };
}
