import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { toolPath } from './require-tool.js';

const execute = promisify(execFile);

/** A container engine for tests, reached by `DOCKER_HOST` where it is one of their own. */
export interface TestEngine {
  /** Runs a `docker` command and returns what it prints. */
  docker(...args: string[]): Promise<string>;
  /** The path of the compiled program of test/sandbox/containers/server.c. */
  readonly program: string;
  /** Builds an image that contains that program and nothing else. */
  buildImage(name: string, command: readonly string[], lines?: readonly string[]): Promise<void>;
  /** Kills the engine like a crash. @default absent: the engine is not the tests' own */
  readonly crash?: () => Promise<void>;
  /** Starts the engine again after a crash. @default absent, as for `crash` */
  readonly start?: () => Promise<void>;
  /** Stops the engine if it is the tests' own, and removes its files. */
  stop(): Promise<void>;
}

/**
 * Whether containers can run here: an engine answers, or one can be started. In CI a missing one is
 * an error (see `toolPath`).
 */
export const canRunContainers = ((): boolean => {
  try {
    execFileSync('docker', ['version'], { stdio: 'ignore', timeout: 10_000, env: process.env });
    return true;
  } catch {
    return (
      toolPath('dockerd') !== undefined && toolPath('gcc') !== undefined && process.getuid?.() === 0
    );
  }
})();

/**
 * Waits until no other test file has an engine of its own: two would give out the same addresses,
 * and each removes the other's firewall rules. The lock ends with the process at the latest.
 */
async function lockOwnEngine(): Promise<Server> {
  for (;;) {
    const server = createServer();
    const error = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
      server.once('error', done).listen('\0castellan-test-engine', () => done(undefined));
    });
    if (error === undefined) return server.unref();
    if (error.code !== 'EADDRINUSE') throw error;
    await wait(200);
  }
}

/** The engine that answers here, else one of the tests' own, which ends with them. */
export async function startContainerEngine(): Promise<TestEngine> {
  const docker = async (...args: string[]): Promise<string> =>
    (
      await execute('docker', args, { timeout: 120_000, maxBuffer: 1 << 26, env: process.env })
    ).stdout.trim();
  const folder = mkdtempSync(join(tmpdir(), 'castellan-engine-'));
  execFileSync('gcc', [
    '-static',
    '-O1',
    '-w',
    '-o',
    join(folder, 'server'),
    join(__dirname, '../sandbox/containers/server.c'),
  ]);
  const buildImage: TestEngine['buildImage'] = async (name, command, lines = []) => {
    const context = mkdtempSync(join(folder, 'image-'));
    cpSync(join(folder, 'server'), join(context, 'server'));
    const file = [
      'FROM scratch',
      'COPY server /server',
      ...lines,
      'ENTRYPOINT ["/server"]',
      `CMD ${JSON.stringify(command)}`,
    ];
    writeFileSync(join(context, 'Dockerfile'), `${file.join('\n')}\n`);
    await docker('build', '-q', '-t', name, context);
  };
  const isRunning = await docker('version').then(
    () => true,
    () => false,
  );
  const removeFolder = (): void => {
    // a killed engine leaves the mounts of its containers
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .flatMap((line) => line.split(' ')[1] ?? []);
    for (const mount of mounts.filter((each) => each.startsWith(folder)).reverse())
      execFileSync('umount', ['-l', mount]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  if (isRunning)
    return {
      docker,
      buildImage,
      program: join(folder, 'server'),
      stop: () => Promise.resolve(removeFolder()),
    };

  const lock = await lockOwnEngine();
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const fileOf = (name: string): string => join(folder, name);
  let daemon: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const log = openSync(fileOf('log'), 'a');
    const args = [
      '-H',
      socket,
      '--data-root',
      fileOf('data'),
      '--exec-root',
      fileOf('exec'),
      '--pidfile',
      fileOf('pid'),
    ];
    daemon = spawn(toolPath('dockerd') ?? 'dockerd', args, { stdio: ['ignore', log, log] });
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(200)) {
      if (daemon.exitCode !== null) break;
      if (
        await docker('version').then(
          () => true,
          () => false,
        )
      )
        return;
    }
    daemon.kill();
    throw new Error(
      `dockerd does not answer: ${readFileSync(fileOf('log'), 'utf8').slice(-2_000)}`,
    );
  };
  const endDaemon = async (signal: NodeJS.Signals): Promise<void> => {
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = new Promise((done) => daemon?.once('exit', done));
    daemon.kill(signal);
    await ended;
  };
  /** The process of a container; 0 if it has ended meanwhile. */
  const pidOf = (id: string): Promise<number> =>
    docker('inspect', '--format', '{{.State.Pid}}', id).then(Number, (error: Error) => {
      if (error.message.includes('No such object')) return 0;
      throw error;
    });
  const previousHost = process.env['DOCKER_HOST'];
  process.env['DOCKER_HOST'] = socket;
  await start();
  return {
    docker,
    buildImage,
    program: join(folder, 'server'),
    async crash() {
      const containers = (await docker('ps', '-q')).split('\n').filter(Boolean);
      const programs = await Promise.all(containers.map(pidOf));
      // processes that dockerd has started outlive it, and the next dockerd would wait for them
      for (
        let remaining = processesWith(folder);
        remaining.length > 0;
        remaining = processesWith(folder)
      ) {
        for (const pid of remaining) killIfRunning(pid);
        await wait(200);
      }
      for (const pid of programs) if (pid > 0) killIfRunning(pid);
      await endDaemon('SIGKILL');
      rmSync(fileOf('exec/containerd'), { recursive: true, force: true });
    },
    start,
    async stop() {
      await endDaemon('SIGTERM');
      if (previousHost === undefined) delete process.env['DOCKER_HOST'];
      else process.env['DOCKER_HOST'] = previousHost;
      removeFolder();
      lock.close();
    },
  };
}

/** Kills a process, which may end by itself meanwhile. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The processes of an engine: those whose command line has its folder. */
function processesWith(folder: string): number[] {
  const all = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  return all.filter((pid) => commandOf(pid).includes(`${folder}/exec`)).map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}
