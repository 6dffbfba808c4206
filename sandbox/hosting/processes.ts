import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readJson, writePrivate } from '../private-file.js';

/** A process in the file of records. */
interface ProcessRecord {
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
  readonly #running = new Map<number, ProcessRecord>();

  /** @param file where the records are kept. */
  constructor(private readonly file: string) {}

  /** Ends the processes of an earlier run. */
  endOrphans(): void {
    for (const { pid, began } of readJson<ProcessRecord[]>(this.file) ?? [])
      if (startTimeOf(pid) === began) signalGroup(pid, 'SIGKILL');
    this.#write();
  }

  /**
   * Starts a process as the leader of its own group, so that its children end with it.
   *
   * @throws Error of the system when the record can't be written, as on a full disk
   */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(command, args, { ...options, detached: true });
    const { pid } = child;
    if (pid === undefined) return child;
    this.#running.set(pid, { pid, began: startTimeOf(pid) ?? '' });
    child.once('exit', () => {
      // Its child processes may still be running.
      signalGroup(pid, 'SIGKILL');
      this.#running.delete(pid);
      try {
        this.#write();
      } catch {
        // a record that stays does no harm: no other process has its id and its start time
      }
    });
    try {
      this.#write();
    } catch (error) {
      signalGroup(pid, 'SIGKILL');
      throw error;
    }
    return child;
  }

  #write(): void {
    writePrivate(this.file, JSON.stringify([...this.#running.values()]));
  }
}

/** Ends a process of {@link Processes}: by SIGTERM, and after some seconds by SIGKILL. */
export function endProcess(child: ChildProcess, graceMs = 5_000): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve();
  return new Promise((done) => {
    const killTimer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
    child.once('exit', () => {
      clearTimeout(killTimer);
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

/** When a process started, as the system reports it; undefined for a missing process. */
function startTimeOf(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    if (!existsSync(`/proc/${pid}/stat`)) return undefined;
    // `starttime`, the 22nd field (proc_pid_stat(5)); the second one, in parentheses, may contain
    // anything.
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
