import { readFileSync, readdirSync } from 'node:fs';
import type { Peer } from './testbed.js';

/** The ids of all processes of a peer: those that were started for it, and their descendants. */
function processTree(peer: Peer): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      parents.set(
        Number(entry),
        Number(
          readFileSync(`/proc/${entry}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1],
        ),
      );
    } catch {
      continue; // the process has ended
    }
  }
  const ids = new Set(peer.processes.map(({ pid }) => pid ?? 0));
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const [pid, parent] of parents) {
      if (ids.has(parent) && !ids.has(pid)) {
        ids.add(pid);
        hasGrown = true;
      }
    }
  }
  return [...ids];
}

/** Processor time of a peer so far, in microseconds. */
export function cpuMicroseconds(peer: Peer): number {
  return processTree(peer)
    .map(cpuOf)
    .reduce((sum, each) => sum + each, 0);
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  // `utime` and `stime` (proc_pid_stat(5)), in ticks of a hundredth of a second
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/**
 * Processor time of each process of a peer so far, in microseconds, in the order of process ids.
 */
export function cpuOfProcesses(peer: Peer): number[] {
  return processTree(peer)
    .sort((a, b) => a - b)
    .map(cpuOf);
}

/** Resident memory of a peer, in bytes. */
export function residentBytes(peer: Peer): number {
  return processTree(peer).reduce(
    (sum, pid) =>
      sum +
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  );
}
