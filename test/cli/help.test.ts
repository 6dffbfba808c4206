import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { expandOptions } from '../../cli/run-commands.js';
import { commands } from '../../cli/commands.js';
import { examplesByCommand } from '../../cli/help.js';
import { createProgram } from '../../cli/program.js';
import { runCli } from '../support/run-cli.js';

const cwd = process.cwd();
const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
const io = { stdout: silent, stderr: silent, env: {}, cwd };

/** The program with one command, whose actions do nothing: only its options are read. */
async function parseWords(words: readonly string[]): Promise<void> {
  const program = createProgram(io);
  (await commands[words[0] ?? '']?.load())?.register(program, io, () => undefined);
  const disableActions = (command: Command): void => {
    command.action(() => undefined);
    command.commands.forEach(disableActions);
  };
  // Of the groups, sidecar alone acts by itself.
  program.commands.forEach((each) =>
    each.commands.length === 0 || each.name() === 'sidecar'
      ? disableActions(each)
      : each.commands.forEach(disableActions),
  );
  await program.parseAsync([...expandOptions(words, program)], { from: 'user' });
}

const wordsOf = (text: string): string[] =>
  [...text.replace(/ [>|].*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );

test('an option of other commands is named as it was typed', async () => {
  const { stderr, exitCode } = await runCli(['check', '--allow-replace=azurerm_x.y'], { cwd: '.' });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'--allow-replace=azurerm_x.y'")]);
});

describe('the help of the command line', () => {
  it.each(Object.values(examplesByCommand).flat())(
    'has an example that the command accepts: castellan %s',
    async (example) => {
      await expect(parseWords(wordsOf(example))).resolves.toBeUndefined();
    },
  );

  it('shows examples and exit codes of castellan and of every command below it', async () => {
    const example = /Examples:\n {2}castellan [^]*Exit codes:\n {2}0 {2}/;
    expect((await runCli(['--help'], { cwd })).stdout).toMatch(example);
    const { stdout } = await runCli(['completion', 'bash', '--json'], { cwd });
    const subcommandPaths = (JSON.parse(stdout) as { commands: { path: string[] }[] }).commands
      .map(({ path }) => path)
      .filter(({ length }) => length > 1);
    expect(subcommandPaths.length).toBeGreaterThan(15);
    for (const path of subcommandPaths)
      expect((await runCli([...path, '--help'], { cwd })).stdout, path.join(' ')).toMatch(example);
  });

  it.each([
    ['graph', '1  its source has mistakes'],
    ['synth', '4  there is no castellan.yaml'],
    ['snapshot', '4  there is no castellan.yaml'],
    ['down', '1  a configuration cannot be read'],
    ['adopt groups', '4  there is no such group'],
  ])('lists each exit code of %s', async (name, line) => {
    expect((await runCli([...name.split(' '), '--help'], { cwd })).stdout).toContain(
      `\n  ${line}\n`,
    );
  });

  it.each([
    [
      ['help', 'sandbox', 'start'],
      ['sandbox', 'start', '--help'],
    ],
    [
      ['help', 'up'],
      ['up', '--help'],
    ],
    [['help'], ['--help']],
  ])('is printed by castellan %j', async (words, equivalentWords) => {
    expect(await runCli(words, { cwd })).toEqual(await runCli(equivalentWords, { cwd }));
  });

  it.each([
    ['directory groups list', 'the sandbox of the environment or of this folder, else the cloud'],
    ['check', 'the sandbox that `castellan sandbox env` names, else the cloud'],
    ['snapshot', 'the sandbox that `castellan sandbox env` names, else the cloud'],
  ])('says which service %s asks', async (name, service) => {
    const { stdout } = await runCli([...name.split(' '), '--help'], { cwd });
    expect(stdout.replace(/\s+/g, ' ')).toContain(`the service to ask (default: ${service})`);
  });

  it.each([['check'], ['fix'], ['up']])(
    'shows no default of %s that only says that an option is absent',
    async (name) => {
      expect((await runCli([name, '--help'], { cwd })).stdout).not.toMatch(/default: (\[\]|false)/);
    },
  );

  it.each(Object.keys(commands))('shows examples and exit codes of %s', async (name) => {
    const { stdout, exitCode } = await runCli([name, '--help'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}castellan [^]*Exit codes:\n {2}0 {2}/);
  });

  it('lists the commands in groups, without uninformative defaults', async () => {
    const { stdout } = await runCli(['--help'], { cwd });
    expect(stdout).toMatch(
      /Write and check:\n {2}init [^]*See what it means:\n {2}access [^]*Apply and run:\n {2}plan [^]*Systems:\n {2}sidecar /,
    );
    expect((await runCli(['check', '--help'], { cwd })).stdout).not.toMatch(
      /default: (?:\[\]|false)/,
    );
  });

  it('puts the meaning of an option below it if the terminal is narrow', async () => {
    const program = createProgram(io).configureOutput({ getOutHelpWidth: () => 40 });
    (await commands['access']?.load())?.register(program, io, () => undefined);
    const help = program.commands[0]?.helpInformation() ?? '';
    expect(help).toContain('\n  --anonymous\n      answer for a browser without a session\n');
  });

  it.each([
    [['up', '--taget', 'azure'], "unknown option '--taget', did you mean --target?"],
    [['sandbox', 'strt'], "unknown command 'strt', did you mean start?"],
    [
      ['suppress', 'add'],
      'castellan suppress add needs <finding> and --reason <text> and --owner <name> and --until <day>',
    ],
    [['schema', 'x'], '<what> is one of configuration, overlay, policy, report, seed, not "x"'],
    [['completion'], 'castellan completion needs <shell> (bash, zsh, fish)'],
    [['completion', 'tcsh'], '<shell> is one of bash, zsh, fish, not "tcsh"'],
    [['adopt', 'grups'], 'unknown command "grups", did you mean "groups"?'],
    [['adopt', 'everything'], 'unknown command "everything"; commands: all, groups'],
    [['directory', 'groups', 'lst'], 'unknown command "lst", did you mean "list"?'],
    [['plan', '--format', 'jsn'], '--format jsn does not exist; did you mean "json"?'],
    [['status', '--json', '--format', 'text'], '--json is short for --format json'],
  ])('reports mistakes in %j like every other error', async (args, expected) => {
    const { exitCode, stderr } = await runCli(args, { cwd });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`castellan: CAS8001 Unknown command or option: ${expected}`),
    ]);
  });
});

describe('shell completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-completion-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['castellan ""', ['check', 'up', 'sandbox']],
    ['castellan sandbox ""', ['start', 'stop', 'seed']],
    ['castellan sandbox st', ['start', 'stop', 'status']],
    ['castellan sandbox start --', ['--seed', '--environment']],
    ['castellan schema ""', ['seed', 'policy']],
  ])('completes %s in bash', async (line, expected) => {
    const { stdout } = await runCli(['completion', 'bash'], { cwd });
    const script = join(folder, 'castellan.bash');
    writeFileSync(script, stdout);
    const words = line.split(' ').map((word) => (word === '""' ? "''" : word));
    const bashCommands = `source ${script}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${String(words.length - 1)}; _castellan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout: completions, stderr } = spawnSync('bash', ['-c', bashCommands], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(completions.split('\n')).toEqual(expect.arrayContaining(expected));
  });

  it.each(['zsh', 'fish'])('has a script for %s', async (shell) => {
    expect((await runCli(['completion', shell], { cwd })).stdout).toContain('environments');
  });
});

describe('JSON', () => {
  it.each([
    ['rules', 'list'],
    ['check', 'examples/storefront'],
    ['test', 'examples/own-rules'],
    ['graph', 'examples/storefront'],
    ['access', 'examples/storefront'],
    ['billing', 'summary', '--account', '1', '--invoice', '2', '--endpoint', 'http://127.0.0.1:1'],
    ['directory', 'groups', '--endpoint', 'http://127.0.0.1:1'],
  ])('is requested by --format json, --json for short: castellan %s %s', async (...words) => {
    const run = (...format: string[]) => runCli([...words, ...format], { cwd });
    // side by side: a command whose service is missing retries for seconds
    const [long, short, wrong] = await Promise.all([
      run('--format', 'json'),
      run('--json'),
      run('--format', 'jsn'),
    ]);
    const withoutTimes = (text: string): string =>
      text.replace(/"\w*(seconds|milliseconds|Ms)\w*": ?[\d.]+|"generatedAt": ?"[^"]*"/gi, '');
    expect(withoutTimes(short.stdout)).toBe(withoutTimes(long.stdout));
    // the service that these commands need is missing
    if (words.includes('--endpoint')) expect(long.stderr).toContain('CAS5002');
    else expect(() => JSON.parse(long.stdout) as unknown).not.toThrow();
    expect(wrong.stderr).toContain('CAS8001');
  });

  it('can be requested from every command but the servers', async () => {
    const commandsWithoutJson: string[] = [];
    const collectCommandsWithoutJson = (command: Command, path: string): void => {
      for (const each of command.commands)
        collectCommandsWithoutJson(each, `${path} ${each.name()}`);
      const words = command.options.map(({ long }) => long);
      if (
        command.commands.length === 0 &&
        !(words.includes('--json') && words.includes('--format'))
      )
        commandsWithoutJson.push(path);
    };
    for (const [name, { load }] of Object.entries(commands)) {
      const program = createProgram(io);
      (await load()).register(program, io, () => undefined);
      for (const each of program.commands) collectCommandsWithoutJson(each, name);
    }
    // a hidden one, and those that answer in a protocol of their own
    expect(commandsWithoutJson).toEqual(['lsp', 'sandbox replay', 'sandbox run', 'serve']);
  });

  it.each([
    [
      'an unknown command',
      ['chek', '--json'],
      2,
      'CAS8001',
      'unknown command "chek", did you mean "check"?',
    ],
    [
      'the name of a property of objects',
      ['toString', '--json'],
      2,
      'CAS8001',
      'unknown command "toString"',
    ],
    [
      'an unknown option',
      ['up', '--taget', 'azure', '--json'],
      2,
      'CAS8001',
      "unknown option '--taget', did you mean --target?",
    ],
    [
      'a missing argument',
      ['adopt', 'groups', '--import', '--format', 'json'],
      2,
      'CAS8001',
      '--import needs --out',
    ],
    [
      'no configuration',
      ['plan', '--format=json'],
      4,
      'CAS2010',
      'there is no castellan.yaml in .',
    ],
    ['no sandbox', ['open', 'shop', '--json'], 2, 'CAS4012', 'no sandbox is running'],
    ['no tests', ['test', '--json'], 4, 'CAS2010', 'no policy tests'],
  ])('contains the error of %s, like stderr', async (_, args, exitCode, code, message) => {
    const empty = mkdtempSync(join(tmpdir(), 'castellan-json-'));
    const run = await runCli(args, { cwd: empty });
    rmSync(empty, { recursive: true });
    expect(run.exitCode).toBe(exitCode);
    expect(JSON.parse(run.stdout)).toEqual({
      version: 1,
      error: {
        code,
        title: expect.any(String),
        message: expect.stringContaining(message),
        help: expect.any(String),
      },
    });
    expect(run.stderr).toContain(`castellan: ${code} `);
  });

  it('is not printed for an error unless requested', async () => {
    expect((await runCli(['chek'], { cwd })).stdout).toBe('');
    expect((await runCli(['chek', '--', '--json'], { cwd })).stdout).toBe('');
  });

  it('is the only output on stdout of commands that write files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-json-'));
    const run = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await runCli([...args, '--json'], { cwd: folder })).stdout);
    try {
      expect(await run('init', 'groups', '--name', 'crew')).toMatchObject({
        version: 1,
        template: 'groups',
        name: 'crew',
        files: expect.arrayContaining(['castellan.yaml', 'seed.yaml']),
        next: ['castellan check', 'castellan up'],
      });
      writeFileSync(
        join(folder, 'castellan.yaml'),
        'version: 1\nstack: crew\ngroups:\n  crew: { kind: security, displayNam: Crew }\n',
      );
      expect(await run('fix')).toMatchObject({
        written: true,
        fixed: [{ file: 'castellan.yaml', line: 4, ruleId: 'property-unknown' }],
        files: [{ file: 'castellan.yaml', diff: expect.stringContaining('displayName') }],
      });
      expect(await run('synth')).toMatchObject({
        stacks: [{ stack: 'crew', file: 'cdktf.out/stacks/crew/cdk.tf.json', dependsOn: [] }],
      });
      expect(await run('down')).toEqual({
        version: 1,
        stacks: [{ stack: 'crew', changes: [] }],
        sandbox: 'left',
      });
      expect(await run('sandbox', 'stop')).toEqual({ version: 1, stopped: false });
      expect(await run('completion', 'bash')).toMatchObject({
        commands: expect.arrayContaining([expect.objectContaining({ path: [] })]),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has each line that an app wrote with its time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-json-'));
    mkdirSync(join(folder, '.castellan/logs'), { recursive: true });
    writeFileSync(
      join(folder, '.castellan/logs/shop.log'),
      '2026-11-22T12:00:00.000Z hello  there\n',
    );
    const { stdout } = await runCli(['logs', '--json'], { cwd: folder });
    rmSync(folder, { recursive: true });
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      lines: [{ app: 'shop', time: '2026-11-22T12:00:00.000Z', text: 'hello  there' }],
    });
  });
});
