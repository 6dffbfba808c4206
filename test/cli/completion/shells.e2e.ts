import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan } from '../../support/cli.js';
import { describeWithTool } from '../../support/require-tool.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-completion-'));
const script = (shell: string): string => join(folder, `castellan.${shell}`);

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(script(shell), (await castellan(['completion', shell])).stdout);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Command lines, and the words that complete the last one of each. */
const cases = [
  ['castellan sandb', ['sandbox']],
  ['castellan sandbox st', ['start', 'status', 'stop']],
  ['castellan up --allow', ['--allow-destroy', '--allow-replace']],
  ['castellan baseline write --o', ['--out']],
  ['castellan schema se', ['seed']],
  ['castellan --ver', ['--verbose', '--version']],
  ['castellan sandbox clock --h', ['--help']],
  ['castellan sandbox start sta', []],
  ['castellan check --format js', ['json']],
  ['castellan check -f sar', ['sarif']],
  ['castellan plan --target az', ['azure']],
  ['castellan access --from li', ['live']],
  ['castellan check --policy ch', []],
] as const;

/** A folder with a file and a folder whose names completion may meet. */
function folderWithFiles(): string {
  const directory = mkdtempSync(join(folder, 'files-'));
  mkdirSync(join(directory, 'sandbox'));
  writeFileSync(join(directory, 'my stack.ts'), '');
  return directory;
}

/** Types a command line with tabs into an interactive shell: the words that the command gets. */
function typeInto(shell: string, setup: string, line: string): readonly string[] {
  const cwd = folderWithFiles();
  const output = join(cwd, 'output');
  const startFile = join(cwd, 'start');
  writeFileSync(startFile, `castellan() { printf '%s\\n' "$@" > ${output}; }\n${setup}\n`);
  execFileSync('script', ['-qec', shell, '/dev/null'], {
    cwd,
    input: `. ${startFile}\n${line}\nexit\n`,
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'dumb' },
  });
  return readFileSync(output, 'utf8').trimEnd().split('\n');
}

/** Typed lines, and the words that the command gets. */
const typedLines = [
  ['castellan sandb\t', ['sandbox']],
  ['castellan sandbox sta\tr\t', ['sandbox', 'start']],
  ['castellan graph my\t', ['graph', 'my stack.ts']],
  ['castellan check\tx', ['check', 'x']],
  ['castellan check; castellan sandb\t', ['sandbox']],
  ['castellan graph --output my\t', ['graph', '--output', 'my stack.ts']],
  ['castellan up --target az\t', ['up', '--target', 'azure']],
  ['castellan up --target=az\t', ['up', '--target=azure']],
] as const;

describeWithTool('fish', 'completion in fish', (fish) => {
  it.each(cases)('completes %s', (line, words) => {
    const { stdout, stderr } = spawnSync(
      fish,
      ['--no-config', '-c', `source ${script('fish')}; complete -C '${line}'`],
      { cwd: mkdtempSync(join(folder, 'empty-')), encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(stdout.split('\n').map((each) => each.split('\t')[0])).toEqual([...words, '']);
  });
});

describeWithTool('zsh', 'completion in zsh', (zsh) => {
  it.each(cases)('completes %s', (line, words) => {
    // stubs of zsh's functions print the candidates, which zsh itself would filter by the last word
    const stubs = `compdef() {}; _files() {}; _describe() { print -l -- "\${(@P)2}"; }`;
    const output = execFileSync(zsh, [
      '-f',
      '-c',
      `${stubs}; source ${script('zsh')}; words=(${line}); CURRENT=\${#words}; _castellan`,
    ]).toString();
    const current = line.split(' ').at(-1) ?? '';
    expect(
      output
        .split('\n')
        .flatMap((each) => (each.startsWith(current) ? [each.split(':')[0]] : []))
        .sort(),
    ).toEqual([...words].sort());
  });

  describeWithTool('script', 'typed', () => {
    const fpath = (): string => {
      const directory = mkdtempSync(join(folder, 'fpath-'));
      writeFileSync(join(directory, '_castellan'), readFileSync(script('zsh')));
      return directory;
    };
    const start = 'autoload -U compinit; compinit -u -D';
    it.each(typedLines)('completes %j, sourced', (line, words) => {
      expect(typeInto(`${zsh} -f -i`, `${start}; . ${script('zsh')}`, line)).toEqual(words);
    });

    it.each(typedLines)('completes %j, in a folder of functions', (line, words) => {
      expect(typeInto(`${zsh} -f -i`, `fpath+=(${fpath()}); ${start}`, line)).toEqual(words);
    });
  });
});

describeWithTool('bash', 'completion in bash', (bash) => {
  it.each(cases)('completes %s', (line, words) => {
    const commands = `source ${script('bash')}; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _castellan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync(bash, ['-c', commands], { cwd: folder }).toString();
    expect(output.split('\n').filter(Boolean).sort()).toEqual([...words].sort());
  });

  describeWithTool('script', 'typed', () => {
    it.each(typedLines)('completes %j', (line, words) => {
      expect(typeInto(`${bash} --norc -i`, `. ${script('bash')}`, line)).toEqual(words);
    });
  });
});
