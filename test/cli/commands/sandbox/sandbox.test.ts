import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../support/run-cli.js';

describe('castellan sandbox', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-sandbox-'));
  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  it('says of which environment none runs', async () => {
    expect(await runCli(['sandbox', 'status'], { cwd })).toEqual({
      exitCode: 1,
      stdout: `no sandbox runs for ${cwd}\n`,
      stderr: '',
    });
    expect((await runCli(['sandbox', 'status', '-e', 'prod'], { cwd })).stdout).toBe(
      `no sandbox runs for ${cwd} (environment prod)\n`,
    );
  });

  it.each(['start', 'status', 'reset'])(
    '%s refuses a project that does not exist',
    async (name) => {
      const { exitCode, stderr } = await runCli(['sandbox', name, '--project', 'typo'], { cwd });
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining('--project typo: there is no such folder'),
      ]);
      expect(existsSync(join(cwd, 'typo'))).toBe(false);
    },
  );
});
