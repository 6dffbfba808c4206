import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, cliPath, root } from '../support/cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-terminal-'));
beforeAll(() => cpSync(join(root, 'examples/storefront'), project, { recursive: true }));
afterAll(async () => {
  await castellan(['sandbox', 'stop'], { cwd: project });
  rmSync(project, { recursive: true, force: true });
});

/**
 * Runs a command on a terminal, which `script` makes, and types Ctrl+C once the output contains
 * `interruptAt`.
 */
function onTerminal(
  columns: number,
  args: string,
  { interruptAt }: { readonly interruptAt?: string } = {},
): Promise<string> {
  const command = `stty cols ${String(columns)} rows 50; exec '${process.execPath}' '${cliPath}' ${args}`;
  const { CI: _ci, NO_COLOR: _noColor, ...env } = process.env;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: project,
    env: { ...env, TERM: 'xterm-256color' },
  });
  let output = '';
  let hasInterrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (interruptAt === undefined || hasInterrupted || !output.includes(interruptAt)) return;
    hasInterrupted = true;
    child.stdin.write('\u0003');
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', () => done(output.replaceAll('\r\n', '\n')));
  });
}

const withoutEscapes = (text: string): string =>
  text.replace(/\u001b(?:\[[0-9;?]*[A-Za-z]|\]8;;[^\u001b]*\u001b\\)/g, '');

describe('on a terminal', () => {
  it.each([
    ['rules list', 40],
    ['rules list', 80],
    ['explain app-replicas', 40],
    ['check', 40],
    ['check --help', 40],
    ['doctor', 80],
    ['plan --nonsense', 40],
    ['graph', 40],
  ])('%s fits in %d columns', async (args, columns) => {
    const lines = withoutEscapes(await onTerminal(columns, args)).split('\n');
    const tooLong = lines.filter(
      (line) => [...line].length > columns && !line.startsWith('    ') && !/\S{30}/.test(line),
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(tooLong).toEqual([]);
  });

  it('a terminal that says it has 0 columns gets lines as wide as any other', async () => {
    expect(await onTerminal(0, '--help')).toContain('declare, check, synthesize, apply to a local');
    expect(await onTerminal(0, 'rules list')).toMatch(/app-replicas .{20}/);
  });

  it('shows in red what lets in people whom nobody can list', async () => {
    expect(await onTerminal(80, 'access')).toContain(
      '\u001b[31m\u001b[1manyone with an account at codehost\u001b[0m',
    );
  });

  it('uses colours, unless NO_COLOR is set', async () => {
    expect(await onTerminal(80, 'rules list')).toContain('\u001b[31merror  \u001b[0m');
    expect(
      (await castellan(['rules', 'list'], { cwd: project, env: { NO_COLOR: '' } })).stdout,
    ).not.toContain('\u001b');
  });

  it('counts many resources instead of listing them', async () => {
    mkdirSync(join(project, 'many'));
    const groups = Array.from(
      { length: 24 },
      (_, index) =>
        `  g${index}: { kind: security, displayName: Group ${index}, mailNickname: group-${index}, owners: [ada, grace] }\n`,
    );
    writeFileSync(
      join(project, 'many/castellan.yaml'),
      `version: 1\nstack: many\nprincipals:\n  ada: { user: ada@contoso.example }\n  grace: { user: grace@contoso.example }\ngroups:\n${groups.join('')}`,
    );
    const output = withoutEscapes(await onTerminal(80, 'up many'));
    expect(output).toMatch(/Apply many\n {2}(\d+) resources\n[^]*\n {2}\1 of \1\n/);
    expect(output).not.toContain('Creating...');
    const secondOutput = withoutEscapes(await onTerminal(80, 'up many'));
    expect(secondOutput).not.toMatch(/ of \d+\n/);
  });

  it('Ctrl+C at a question ends the command, which has changed nothing', async () => {
    const output = await onTerminal(80, 'init --directory asked', { interruptAt: 'Template [' });
    expect(withoutEscapes(output)).toContain('\ncastellan: CAS8104');
    expect(existsSync(join(project, 'asked'))).toBe(false);
  });

  it('Ctrl+C ends an apply after Terraform has written its state, and shows the cursor again', async () => {
    const output = await onTerminal(80, 'up', { interruptAt: 'Creating...' });
    expect(output).toContain('CAS2105');
    expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(
      output.lastIndexOf('\u001b[?25l'),
    );
    expect(await onTerminal(80, 'up')).toContain('resources created');
  });

  it('Ctrl+C before Terraform runs leaves no spinner and shows the cursor again', async () => {
    await castellan(['sandbox', 'stop'], { cwd: project });
    const output = await onTerminal(80, 'up', { interruptAt: 'Sandbox' });
    expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(
      output.lastIndexOf('\u001b[?25l'),
    );
    expect(output).not.toContain('Synthesize');
  });
});
