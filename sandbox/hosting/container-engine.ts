import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

const run = promisify(execFile);

/** Options of an engine command. */
export interface EngineOptions {
  /** Variables of the command, besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** @default a minute */
  readonly timeoutMs?: number;
}

/** How long the engine may take to answer that it is running. */
const pingTimeoutMs = 5_000;
/** How long a build of an image may take. */
const buildTimeoutMs = 30 * 60_000;
/** The largest output of a command that is read, in bytes. */
const maxOutputBytes = 64 * 1024 * 1024;

/**
 * Runs a command of the container engine and returns its output. The `docker` command finds the
 * engine (contexts, `DOCKER_HOST`), signs in to registries and packs the folders of builds.
 *
 * @throws Error with the engine's own message.
 */
export async function docker(
  args: readonly string[],
  { env, signal, timeoutMs = 60_000 }: EngineOptions = {},
): Promise<string> {
  try {
    const options = {
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      maxBuffer: maxOutputBytes,
    };
    const { stdout } = await run('docker', args, {
      ...options,
      ...omitUndefined({ signal }),
    });
    return stdout.trim();
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(
      engineMessage(error as Error & { stderr?: string; killed?: boolean }, timeoutMs),
      { cause: error },
    );
  }
}

/** Whether a container engine answers. */
export async function isContainerEngineRunning(): Promise<boolean> {
  try {
    await docker(['version', '--format', '{{.Server.Version}}'], { timeoutMs: pingTimeoutMs });
    return true;
  } catch {
    return false; // not installed, not running or not allowed: apps run without it
  }
}

/** Removes containers and volumes with a label, such as those of an earlier run. */
export async function removeLabelled(label: string): Promise<void> {
  const filter = ['--filter', `label=${label}`];
  const containers = outputLines(await docker(['ps', '-aq', ...filter]));
  if (containers.length > 0) await docker(['rm', '-f', ...containers]);
  const volumes = outputLines(await docker(['volume', 'ls', '-q', ...filter]));
  if (volumes.length > 0) await docker(['volume', 'rm', '-f', ...volumes]);
}

/** The lines of a command's output. */
export function outputLines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

/** The engine's own message of a failed command, without prefixes and hints to other commands. */
function engineMessage(
  { stderr, message, killed }: Error & { stderr?: string; killed?: boolean },
  timeoutMs: number,
): string {
  if (killed === true) return `the container engine took longer than ${timeoutMs / 1000} s`;
  const messages = outputLines(stderr ?? '').filter((line) => !/^(See|Run) '/.test(line));
  return (messages.at(-1) ?? message)
    .replace(/^(?:docker: )?Error response from daemon: /, '')
    .slice(0, 400);
}

/**
 * Builds an app's image from a folder with a Dockerfile.
 *
 * @returns the id of the image.
 * @throws CAS4015 with the last lines of the build.
 */
export async function buildImage(app: string, folder: string): Promise<string> {
  try {
    return await docker(['build', '-q', '-t', `castellan-${app}:sandbox`, folder], {
      timeoutMs: buildTimeoutMs,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = ((error as Error).cause ?? {}) as {
      stdout?: string;
      stderr?: string;
    };
    const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
    const reason = lines.length === 0 ? (error as Error).message : lines.slice(-8).join('\n  ');
    throw new CastellanError('CAS4015', `${app} from ${folder}\n  ${reason}`, {
      cause: error,
      details: { folder },
    });
  }
}

/**
 * Complete ELF programs in Base64 that only wait, by the engine's architecture: `pause()` on amd64,
 * `ppoll(NULL, 0, NULL, NULL)` in a loop on arm64.
 */
const pausePrograms: Readonly<Record<string, string>> = {
  amd64:
    'f0VMRgIBAQAAAAAAAAAAAAIAPgABAAAAeABAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAABAAAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAgQAAAAAAAACBAAAAAAAAAAAQAAAAAAAAuCIAAAAPBev3',
  arm64:
    'f0VMRgIBAQAAAAAAAAAAAAIAtwABAAAAeABAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAABAAAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAmAAAAAAAAACYAAAAAAAAAAAAAQAAAAAAKAmA0gAAgNIBAIDSAgCA0gMAgNIEAIDSAQAA1Pr//xc=',
};

const pauseTag = 'castellan-pause:1';

/**
 * The image of the container that keeps a replica's network and volumes while its other containers
 * are replaced. It is built here, so that no registry is needed.
 *
 * @throws Error on an engine of another architecture.
 */
export async function ensurePauseImage(): Promise<string> {
  if ((await docker(['images', '-q', pauseTag])) !== '') return pauseTag;
  const architecture = await docker(['version', '--format', '{{.Server.Arch}}']);
  const program = pausePrograms[architecture];
  if (program === undefined)
    throw new Error(
      `images run on ${Object.keys(pausePrograms).join(' and ')} only, and this engine is ${architecture}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'castellan-pause-'));
  try {
    writeFileSync(join(folder, 'pause'), Buffer.from(program, 'base64'));
    chmodSync(join(folder, 'pause'), 0o755);
    writeFileSync(
      join(folder, 'Dockerfile'),
      'FROM scratch\nCOPY pause /pause\nENTRYPOINT ["/pause"]\n',
    );
    await docker(['build', '-q', '-t', pauseTag, folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return pauseTag;
}
