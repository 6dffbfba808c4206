import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
] as const;

describeWithTool('fish', 'completion in fish', (fish) => {
  it.each(cases)('completes %s', (line, words) => {
    const output = execFileSync(
      fish,
      ['--no-config', '-c', `source ${script('fish')}; complete -C '${line}'`],
      { cwd: folder },
    ).toString();
    expect(output.split('\n').map((each) => each.split('\t')[0])).toEqual([...words, '']);
  });
});

describeWithTool('zsh', 'completion in zsh', (zsh) => {
  it.each(cases)('completes %s', (line, words) => {
    // stubs of zsh's functions print the candidates, which zsh itself would filter by the last word
    const stubs = `compdef() {}; _files() {}; _describe() { print -l -- "\${(@P)2}"; }`;
    const output = execFileSync(zsh, [
      '-f',
      '-c',
      `${stubs}; source ${script('zsh')}; LBUFFER='${line}'; _castellan`,
    ]).toString();
    const current = line.split(' ').at(-1) ?? '';
    expect(
      output
        .split('\n')
        .flatMap((each) => (each.startsWith(current) ? [each.split(':')[0]] : []))
        .sort(),
    ).toEqual([...words].sort());
  });
});

describeWithTool('bash', 'completion in bash', (bash) => {
  it.each(cases)('completes %s', (line, words) => {
    const commands = `source ${script('bash')}; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _castellan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync(bash, ['-c', commands], { cwd: folder }).toString();
    expect(output.trim().split('\n').sort()).toEqual([...words].sort());
  });
});
