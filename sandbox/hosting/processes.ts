import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readJson, writePrivate } from '../private-file.js';

interface Entry {
  readonly pid: number;
  /**
   * The start time of the process, as the system reports it: another process with the same id has
   * another one.
   */
  readonly began: string;
}

/**
 * The processes that a sandbox started, recorded so that the next start ends those left by a crash.
 */
export class Processes {
  readonly #entries = new Map<number, Entry>();

  constructor(private readonly record: string) {}

  /** Ends the processes of an earlier run. */
  endOrphans(): void {
    for (const { pid, began } of readJson<Entry[]>(this.record) ?? [])
      if (beginningOf(pid) === began) signalGroup(pid, 'SIGKILL');
    this.write();
  }

  /** Starts a process as the leader of its own group, so that its children end with it. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(command, args, { ...options, detached: true });
    const { pid } = child;
    if (pid === undefined) return child;
    this.#entries.set(pid, { pid, began: beginningOf(pid) ?? '' });
    this.write();
    child.once('exit', () => {
      this.#entries.delete(pid);
      this.write();
      // Its child processes may still be running.
      signalGroup(pid, 'SIGKILL');
    });
    return child;
  }

  private write(): void {
    writePrivate(this.record, JSON.stringify([...this.#entries.values()]));
  }
}

/** Ends a process of {@link Processes}: by SIGTERM, and after some seconds by SIGKILL. */
export function endProcess(child: ChildProcess, graceMilliseconds = 5_000): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve();
  return new Promise((done) => {
    const late = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMilliseconds);
    child.once('exit', () => {
      clearTimeout(late);
      done();
    });
    signalGroup(pid, 'SIGTERM');
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: it has ended. EPERM: the group belongs to another process by now.
    if (!['ESRCH', 'EPERM'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

function beginningOf(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    if (!existsSync(`/proc/${pid}/stat`)) return undefined;
    // The 22nd field; the second one, in parentheses, may contain anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
  }
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || undefined
    );
  } catch {
    return undefined; // ps exits with 1 for a missing process
  }
}

const pauses = [1_000, 2_000, 5_000, 15_000, 30_000] as const;

/** The pause before a restart, in milliseconds: longer each time. */
export function backOffMs(attempt: number): number {
  return pauses[Math.min(attempt, pauses.length - 1)] as number;
}

/**
 * A run of this length, in milliseconds, counts as successful: its next end counts as the first.
 */
export const stableAfterMs = 60_000;
