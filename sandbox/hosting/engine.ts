import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How one command of the engine is run. */
export interface EngineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** @default a minute */
  readonly milliseconds?: number;
}

/**
 * Runs a command of the container engine and answers with what it prints. The `docker` command is what finds the engine (contexts,
 * `DOCKER_HOST`), signs in to registries and packs the folders of builds.
 *
 * @throws Error with the engine's own words.
 */
export async function docker(args: readonly string[], { env, signal, milliseconds = 60_000 }: EngineOptions = {}): Promise<string> {
  try {
    const options = { env: { ...process.env, ...env }, timeout: milliseconds, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await run('docker', args, { ...options, ...(signal === undefined ? {} : { signal }) });
    return stdout.trim();
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(reasonOf(error as Error & { stderr?: string; killed?: boolean }, milliseconds), { cause: error });
  }
}

/** Whether a container engine answers. */
export async function engineAnswers(): Promise<boolean> {
  try {
    await docker(['version', '--format', '{{.Server.Version}}'], { milliseconds: 5_000 });
    return true;
  } catch {
    return false; // not installed, not running or not allowed: apps run without it
  }
}

/** Removes the containers and volumes that carry a label, such as those that an earlier run left behind. */
export async function removeLabelled(label: string): Promise<void> {
  const filter = ['--filter', `label=${label}`];
  const containers = lines(await docker(['ps', '-aq', ...filter]));
  if (containers.length > 0) await docker(['rm', '-f', ...containers]);
  const volumes = lines(await docker(['volume', 'ls', '-q', ...filter]));
  if (volumes.length > 0) await docker(['volume', 'rm', '-f', ...volumes]);
}

/** The lines that a command printed. */
export function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

function reasonOf({ stderr, message, killed }: Error & { stderr?: string; killed?: boolean }, milliseconds: number): string {
  if (killed === true) return `the container engine took longer than ${milliseconds / 1000} s`;
  const messages = lines(stderr ?? '').filter((line) => !/^(See|Run) '/.test(line));
  return (messages.at(-1) ?? message).replace(/^(?:docker: )?Error response from daemon: /, '').slice(0, 400);
}
