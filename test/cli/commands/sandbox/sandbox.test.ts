import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxPaths } from '../../../../sandbox/paths.js';
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

  describe('seed', () => {
    const project = mkdtempSync(join(tmpdir(), 'castellan-seed-'));
    afterAll(() => {
      rmSync(project, { recursive: true });
    });
    const file = sandboxPaths(project).addedSeed;
    const seed = (...parts: string[]) => runCli(['sandbox', 'seed', ...parts], { cwd: project });
    const ada = ['--person', 'ada@contoso.example'];

    it.each([
      [
        'one that is no name',
        [...ada, '--person', 'grace'],
        '--person grace is no user principal name',
      ],
      ['a file, too', [...ada, 'seed.yaml'], 'give either a seed file or --person'],
      ['two files', ['seed.yaml', 'more.yaml'], 'seed'],
    ])('adds nobody of several people with %s', async (_, parts, message) => {
      const { exitCode, stderr } = await seed(...parts);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(existsSync(file)).toBe(false);
    });

    it('adds every person that it is given, each once', async () => {
      expect(await seed(...ada, '--person', 'grace.hopper@contoso.example', ...ada)).toEqual({
        exitCode: 0,
        stdout: 'ada@contoso.example, grace.hopper@contoso.example: added\n',
        stderr: '',
      });
      const { users } = JSON.parse(readFileSync(file, 'utf8')) as { users: unknown[] };
      expect(users).toMatchObject([
        { userPrincipalName: 'ada@contoso.example', displayName: 'Ada' },
        { userPrincipalName: 'grace.hopper@contoso.example', displayName: 'Grace Hopper' },
      ]);
    });
  });
});
