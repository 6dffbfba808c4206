import { appendFileSync, existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { plainOutput, terminalOutputOf } from '../../../core/text/terminal.js';
import { type FormatName, formats } from '../../../policies/reporters/formats.js';
import type { Report } from '../../../policies/reporters/report.js';
import type { CliIo } from '../../command.js';
import { writeOutput } from '../../files.js';

/** A format with its destination: a file, or stdout. */
export interface Output {
  readonly format: FormatName;
  /** Undefined for stdout. */
  readonly file: string | undefined;
}

/**
 * Parses `--format FORMAT[=FILE]`.
 *
 * @throws CAS8001 for a format that does not exist, for an empty file name, or when two formats would
 *   go to stdout.
 */
export function parseFormats(words: readonly string[]): readonly Output[] {
  const outputs = (words.length === 0 ? ['text'] : words).map((each): Output => {
    const [format = '', file] = splitOnce(each);
    if (!Object.hasOwn(formats, format)) {
      const hint = didYouMean(nearest(format, Object.keys(formats)), '.', ',');
      throw new CastellanError(
        'CAS8001',
        `--format ${format} does not exist${hint} Formats: ${Object.keys(formats).join(', ')}`,
      );
    }
    if (file === '')
      throw new CastellanError(
        'CAS8001',
        `--format ${each} names no file: write ${format}=FILE, or ${format} for the terminal`,
      );
    return { format: format as FormatName, file };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1)
    throw new CastellanError(
      'CAS8001',
      'only one --format can go to stdout; write the others as FORMAT=FILE',
    );
  return outputs;
}

function splitOnce(text: string): readonly [string, string | undefined] {
  const separatorIndex = text.indexOf('=');
  return separatorIndex === -1
    ? [text, undefined]
    : [text.slice(0, separatorIndex), text.slice(separatorIndex + 1)];
}

/** Writes a report in every requested format: to stdout, or to its file. */
export async function writeReports(
  report: Report,
  outputs: readonly Output[],
  io: CliIo,
  color: boolean | undefined,
): Promise<void> {
  for (const { format, file } of outputs) {
    const render = await formats[format]();
    const { text, jobSummary } = render(
      { ...report, folderInRepository: folderInWorkspace(io) },
      file === undefined ? terminalOutputOf(io.stdout, io.env, color) : plainOutput,
    );
    const summaryFile = io.env['GITHUB_STEP_SUMMARY'];
    if (jobSummary !== undefined && summaryFile !== undefined && summaryFile !== '')
      appendFileSync(summaryFile, jobSummary);
    if (file === undefined) io.stdout.write(text);
    else writeOutput(io, file, text);
  }
}

/** The path of the current folder in the repository that a job of GitHub Actions has checked out. */
function folderInWorkspace({ cwd, env }: CliIo): string {
  const workspace = env['GITHUB_WORKSPACE'] ?? '';
  if (workspace === '' || !existsSync(workspace)) return '';
  // a runner may name its folder by a link, and the current folder is never one
  const folder = relative(realpathSync(workspace), realpathSync(cwd));
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder;
}
