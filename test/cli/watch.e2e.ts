import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliPath, root } from '../support/cli.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';
import { waitUntil } from '../support/wait-until.js';

const configuration = (group: string): string => `version: 1
stack: typing
principals: { ada: { user: ada@contoso.example } }
groups:
  crew: { kind: security, displayName: ${group}, description: The crew, mailNickname: crew, owners: [ada], members: [ada] }
`;

test('up --watch applies each edit, reports the change in one line, continues after a mistake, and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-watch-'));
  const write = (text: string): void => writeFileSync(join(folder, 'castellan.yaml'), text);
  writeFileSync(
    join(folder, 'seed.yaml'),
    'users: [{ userPrincipalName: ada@contoso.example, displayName: Ada, mailNickname: ada, accountEnabled: true }]\n',
  );
  write(configuration('Crew'));
  const child = spawn(process.execPath, [cliPath, 'up', '--watch'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', CI: '1' },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const waitForText = (output: () => string, pattern: RegExp): Promise<true> =>
    waitUntil(
      `${pattern.source} in\n${out}\n${err}`,
      () => Promise.resolve(pattern.test(output()) ? true : undefined),
      60_000,
    );
  try {
    await waitForText(() => err, /watching; Ctrl\+C ends it/);
    expect(out).toContain('typing: 1 resource created');
    write(configuration('Night crew'));
    await waitForText(
      () => out,
      /^\d\d:\d\d:\d\d typing: 1 resource updated \(~ azuread_group\.crew\)$/m,
    );
    write(configuration('Night crew').replace('groups:', 'groups: ['));
    await waitForText(() => err, /castellan\.yaml:\d+:\d+/);
    write(configuration('Day crew'));
    await waitUntil(
      'the second update',
      () =>
        Promise.resolve((out.match(/1 resource updated/g) ?? []).length === 2 ? true : undefined),
      60_000,
    );
    const { pid } = JSON.parse(readFileSync(join(folder, '.castellan/sandbox.json'), 'utf8')) as {
      pid: number;
    };
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await waitUntil('the end of the sandbox', () =>
      Promise.resolve(isAlive(pid) ? undefined : true),
    );
    expect((await runCliWithTestEnvironment(['status'], { cwd: folder })).stdout).toContain(
      'sandbox: not running',
    );
  } finally {
    child.kill('SIGKILL');
    await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('up --watch warns of nothing but mistakes, however often files change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-watch-'));
  const file = join(folder, 'castellan.yaml');
  writeFileSync(file, 'version: 1\nstack: Typing 0\n');
  const child = spawn(process.execPath, [cliPath, 'up', '--watch'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', CI: '1' },
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  try {
    for (let round = 1; round <= 12; round++) {
      await waitUntil(`mistake ${String(round)} in ${err}`, () =>
        Promise.resolve(err.includes(`Typing ${String(round - 1)}`) ? true : undefined),
      );
      writeFileSync(file, `version: 1\nstack: Typing ${String(round)}\n`);
    }
    expect(err).not.toContain('Warning');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

test('up --watch that is interrupted while the sandbox starts applies nothing, and stops it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-watch-'));
  writeFileSync(join(folder, 'castellan.yaml'), configuration('Crew'));
  const child = spawn(process.execPath, [cliPath, 'up', '--watch'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', CI: '1' },
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (!err.includes('starting the sandbox') && `${err}${text}`.includes('starting the sandbox'))
      child.kill('SIGINT');
    err += text;
  });
  try {
    expect(await new Promise((done) => child.once('close', done))).toBe(0);
    expect(err).toContain('CAS2105 Interrupted: not started: Synthesize');
    expect(err).not.toContain('watching');
    expect((await runCliWithTestEnvironment(['status'], { cwd: folder })).stdout).toContain(
      'sandbox: not running',
    );
  } finally {
    await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('up --watch is refused for the cloud', async () => {
  const { exitCode, stderr } = await runCliWithTestEnvironment(
    ['up', '--watch', '--target', 'azure', '--auto-approve'],
    { cwd: root },
  );
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('CAS8109 Not supported with --watch: --target azure'),
  ]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
    return false;
  }
}
