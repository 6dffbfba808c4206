import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliPath } from '../support/cli.js';

/** Runs a program that permissions of files apply to, as they do not to root. */
const restricted: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-permissions-'));
  writeFileSync(join(folder, 'castellan.yaml'), 'version: 1\nstack: shop\n');
});
afterEach(() => {
  for (const name of ['', '.castellan']) chmodSync(join(folder, name), 0o700);
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<Run> {
  const [program = '', ...words] = [...restricted, process.execPath, cliPath, ...args];
  return new Promise((done) =>
    execFile(program, words, { cwd: folder }, (error, stdout, stderr) =>
      done({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    ),
  );
}

describe('in a folder that cannot be written', () => {
  beforeEach(() => {
    mkdirSync(join(folder, '.castellan'));
    chmodSync(join(folder, '.castellan'), 0o500);
  });

  it('doctor reports it', async () => {
    const { exitCode, stdout } = await run('doctor');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/FAIL {2}folder .*\.castellan can't be used: EACCES/),
    ]);
  });

  it.each(['up', 'plan', 'sandbox start'])('castellan %s says so', async (args) => {
    const { exitCode, stderr } = await run(...args.split(' '));
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/CAS4013|CAS8207/)]);
  });
});

describe("where the sandbox's folder cannot be read, as that of another user", () => {
  beforeEach(() => {
    mkdirSync(join(folder, '.castellan'));
    chmodSync(join(folder, '.castellan'), 0o000);
  });

  it.each([
    ['doctor', /folder .*can't be used/],
    ['logs', /CAS8207 Permission denied: .*\.castellan/],
    ['output', /CAS8207 Permission denied: .*\.castellan/],
    ['status', /CAS4013/],
    ['sandbox list', /CAS8207 Permission denied: .*\.castellan/],
    ['sandbox reset', /CAS4013 .*apply\.lock can't be locked/],
    ['sandbox save x', /CAS4013 .*apply\.lock can't be locked/],
  ])('castellan %s fails instead of finding nothing', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args.split(' '));
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toMatch(message);
  });
});

it('a seed file that is only to be read can be used again', async () => {
  writeFileSync(
    join(folder, 'seed.yaml'),
    'users: [{ userPrincipalName: ada@contoso.example, displayName: Ada }]\n',
    { mode: 0o444 },
  );
  try {
    for (const attempt of ['first', 'second'])
      expect([attempt, await run('sandbox', 'start', '--seed', 'seed.yaml')]).toMatchObject([
        attempt,
        { exitCode: 0 },
      ]);
  } finally {
    await run('sandbox', 'stop');
  }
});
