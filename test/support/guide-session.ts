import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliPath } from './cli.js';
import { blocksOf } from './page-blocks.js';

/**
 * Follows a page of docs/guides in a folder, as a reader would: runs the `$` lines of its `console`
 * blocks, writes the files of its `yaml FILE` blocks and applies its `diff FILE` blocks.
 *
 * @param program the path of the `castellan` program.
 * @default this build
 * @returns the page with the output of this run, with the varying parts masked
 */
export function followGuide(page: string, folder: string, program = cliPath): string {
  const lines = readFileSync(page, 'utf8').split('\n');
  const outputLines: string[] = [];
  let copiedLines = 0;
  for (const block of blocksOf(lines)) {
    const [language, file] = block.info.split(' ');
    if (language === 'yaml' && file)
      writeFileSync(join(folder, file), `${block.lines.join('\n')}\n`);
    if (language === 'diff' && file) applyDiff(join(folder, file), block.lines);
    if (language !== 'console') continue;
    outputLines.push(...lines.slice(copiedLines, block.start));
    for (const command of block.lines.filter((line) => line.startsWith('$ '))) {
      outputLines.push(command, ...outputOf(command.slice(2), folder, program));
    }
    copiedLines = block.end;
  }
  return [...outputLines, ...lines.slice(copiedLines)].join('\n');
}

/** Replaces the lines with `-` by those with `+`. @throws Error where the file doesn't have them */
function applyDiff(file: string, diff: readonly string[]): void {
  const side = (sign: string): string =>
    diff
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(side('+')))
    throw new Error(`${file} does not have the lines that the guide changes:\n${side('+')}`);
  writeFileSync(
    file,
    text.replace(side('+'), () => side('-')),
  );
}

/**
 * Writes programs `castellan`, `castellan-check` and `npx` into a folder.
 *
 * @returns the folder of the programs, for the front of PATH
 */
export function installPrograms(
  folder: string,
  program = cliPath,
  otherPrograms: Readonly<Record<string, string>> = {},
): string {
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  const programs = {
    castellan: `exec "${process.execPath}" "${program}" "$@"`,
    'castellan-check': `exec "${process.execPath}" "${program}" "$@"`,
    npx: 'while :; do case $1 in --prefix) shift 2;; -*) shift;; *) break;; esac; done; name=${1%%@*}; shift; npm_command=exec exec "$name" "$@"',
    ...otherPrograms,
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/**
 * What a command prints on stdout, in a folder where `npx castellan` is a program; `npx` takes
 * `--yes` and versions as npm's does.
 */
function outputOf(command: string, folder: string, program: string): string[] {
  const bin = installPrograms(folder, program);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1', CI: '1' };
  const { stdout, stderr, status } = spawnSync('bash', ['-c', command], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1)
    throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim() === '' ? [] : stdout.trimEnd().split('\n').map(maskVaryingParts);
}

/** A line whose ports, tokens, ids, times and texts about container engines are replaced. */
export function maskVaryingParts(line: string): string {
  return line
    .replace(/localhost:\d+/g, 'localhost:25900')
    .replace(/token=[\w-]+/g, 'token=…')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '…')
    .replace(/\(\d+\.\d+ s\)/g, '(0.02 s)')
    .replace(/process \d+, up \S+ \w+/, 'process 4711, up 12 min')
    .replace(/\bin \d+(?:\.\d)? s\b/, 'in 4.0 s')
    .replace(/, (?:No container engine|The image) .*$/, '')
    .trimEnd();
}
