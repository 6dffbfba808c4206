import type { Command } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../core/text/nearest.js';
import { wrapLines, terminalOutputOf } from '../core/text/terminal.js';
import { ChoiceOption, listOfWords } from './choice-option.js';
import type { CliIo } from './command.js';

/** The flags for the output format. */
export interface FormatFlags<Format extends string = 'text' | 'json'> {
  readonly format?: Format;
  readonly json?: boolean;
}

/** Adds `--format`, and `--json` as its short form. */
export function addFormat(
  command: Command,
  formats: readonly string[] = ['text', 'json'],
): Command {
  const shortFlag = command.options.some((each) => each.short === '-f') ? '' : '-f, ';
  return command
    .addOption(
      new ChoiceOption(
        `${shortFlag}--format <format>`,
        formats,
        `${listOfWords(formats)} (default: ${formats[0] ?? ''})`,
      ),
    )
    .option('--json', 'short for --format json');
}

/**
 * The requested format.
 *
 * @throws CAS8001 for a format that the command doesn't have, or when --json contradicts --format.
 */
export function formatOf<Format extends string = 'text' | 'json'>(
  { format, json }: { readonly format?: string; readonly json?: boolean },
  formats: readonly Format[] = ['text', 'json'] as unknown as readonly Format[],
): Format {
  if (json === true && format !== undefined && format !== 'json')
    throw new CastellanError(
      'CAS8001',
      `--json is short for --format json, but --format is ${format}`,
    );
  const requested = json === true ? 'json' : (format ?? formats[0]);
  const match = formats.find((each) => each === requested);
  if (match !== undefined) return match;
  const hint = didYouMean(nearest(String(requested), formats), '.');
  throw new CastellanError(
    'CAS8001',
    `--format ${String(requested)} does not exist${hint} Formats: ${formats.join(', ')}`,
  );
}

/**
 * Writes a text for people, with lines wrapped on a terminal. Output for programs is written
 * unchanged.
 */
export function printText(stream: CliIo['stdout'], text: string): void {
  stream.write(wrapLines(text, terminalOutputOf(stream, {})));
}

/**
 * Prints the result of a command: a versioned JSON document for programs, or the text for people.
 */
export function printResult(
  format: string,
  result: object,
  text: string,
  { stdout }: Pick<CliIo, 'stdout'>,
): void {
  if (format === 'json')
    stdout.write(`${JSON.stringify({ version: 1, ...result }, undefined, 2)}\n`);
  else printText(stdout, text);
}

/** Prints one result of a command that keeps running as a line of JSON. */
export function printJsonLine(result: object, { stdout }: Pick<CliIo, 'stdout'>): void {
  stdout.write(`${JSON.stringify(result)}\n`);
}

/** Whether a command line requests JSON, even if the option parser refuses it. */
export function asksForJson(args: readonly string[]): boolean {
  const optionsEnd = args.indexOf('--');
  const options = optionsEnd === -1 ? args : args.slice(0, optionsEnd);
  return options.some(
    (word, index) =>
      /^(--json|--format=json)$/.test(word) ||
      (/^(--format|-f)$/.test(word) && options[index + 1] === 'json'),
  );
}
