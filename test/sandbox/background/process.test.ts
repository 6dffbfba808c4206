import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../../sandbox/background/lock.js';
import { stopBackground } from '../../../sandbox/background/process.js';
import { prepareSandboxFolder, sandboxPaths } from '../../../sandbox/paths.js';
import { readRunningState } from '../../../sandbox/state.js';

test('stopping a sandbox leaves one that is started meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-stop-'));
  const paths = sandboxPaths(folder);
  prepareSandboxFolder(paths);
  const lock = takeLock(paths.lock);
  const [first, second] = [1, 2].map(() => spawn('sleep', ['60'], { stdio: 'ignore' }));
  const writePid = (pid: number | undefined) =>
    writeFileSync(paths.state, JSON.stringify({ pid, origin: 'https://localhost:1' }));
  try {
    writePid(first?.pid);
    first?.once('exit', () => writePid(second?.pid));
    expect(await stopBackground(paths)).toBe(true);
    expect(readRunningState(paths)?.pid).toBe(second?.pid);
  } finally {
    for (const each of [first, second]) each?.kill();
    lock?.release();
    rmSync(folder, { recursive: true });
  }
});
