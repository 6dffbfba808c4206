import { execFileSync } from 'node:child_process';

/** The ids of the processes whose command line has this text. */
export function processesWith(text: string): readonly number[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}

/**
 * Kills a process or a process group, unless it has ended already.
 *
 * @param id a process id; a process group id as a negative number.
 */
export function kill(id: number): void {
  sendSignal(id, 'SIGKILL');
}

/** Sends a signal to a process or a process group (see {@link kill}), unless it has ended already. */
export function sendSignal(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
