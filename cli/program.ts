import { CommanderError, Command, Help, type Option } from 'commander';
import { isCastellanError, CastellanError } from '../core/errors/castellan-error.js';
import { isDiskFull } from '../core/errors/disk-full.js';
import { catalogue } from '../core/errors/catalogue.js';
import { paint, screenOf } from '../core/text/terminal.js';
import { exitCodes } from '../core/findings/exit-code.js';
import packageJson from '../package.json';
import type { CliIo } from './command.js';
import { asksForJson, printLine } from './format.js';
import { say } from './say.js';

/** Errors that say what was found rather than that something went wrong. */
const foundSomething: ReadonlySet<string> = new Set(['CAS8101', 'CAS8103']);

/** The program without its commands: name, version, and where it writes. */
export function createProgram(io: CliIo): Command {
  const program = new CastellanCommand('castellan');
  program
    .description('Infrastructure and policy as code: declare, check, synthesize, apply to a local sandbox or to the cloud.')
    .version(packageJson.version)
    .option('--verbose', 'show stack traces of unexpected failures')
    .exitOverride()
    .configureHelp({ formatItem: helpItem, optionDescription })
    .configureOutput({
      writeOut: (text) => say(io.stdout, text),
      writeErr: (text) => say(io.stderr, text),
      outputError: () => undefined,
    });
  return program;
}

/** A term and what it means: side by side, or the meaning below it where a narrow terminal leaves less than the width that is wrapped. */
function helpItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const narrow = (this.helpWidth ?? 80) - termWidth - 4 < this.minWidthToWrap && description !== '';
  return narrow ? `  ${term}\n      ${description}` : Help.prototype.formatItem.call(this, term, termWidth, description, helper);
}

/** What an option is for, without a default that says nothing. */
function optionDescription(this: Help, option: Option): string {
  return Help.prototype.optionDescription.call(this, option).replace(/ \(default: (?:\[\]|false)\)$/, '');
}

function codeOf({ exitCode }: CommanderError): number {
  return exitCode === 0 ? exitCodes.clean : exitCodes.failure;
}

/** Who says that something went wrong. */
function named(io: CliIo): string {
  return paint('castellan:', 'error', screenOf(io.stderr, io.env));
}

/** An error as users meet it, and as `--format json` prints it. */
interface ReportedError {
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly help: string;
}

function toReportedError(error: unknown): ReportedError {
  if (error instanceof CommanderError) return { code: 'CAS8001', ...catalogue.CAS8001, message: refusal(error) };
  if (!isCastellanError(error) && isDiskFull(error))
    return { code: 'CAS8203', ...catalogue.CAS8203, message: `the disk is full: ${(error as Error).message}` };
  if (!isCastellanError(error))
    return { code: 'CAS8999', ...catalogue.CAS8999, message: error instanceof Error ? error.message : String(error) };
  const { code, title, message, help } = error;
  return { code, title, message, help };
}

/** What the option parser refuses, in the words of every other error. */
function refusal({ message }: CommanderError): string {
  const [what = '', hint] = message
    .replace(/^error: /, '')
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/, '<$2> is one of $3, not "$1"')
    .split('\n');
  const suggestion = /Did you mean (?:one of )?(.+?)\?\)/.exec(hint ?? '')?.[1];
  return `${what}${suggestion === undefined ? '' : `, did you mean ${suggestion}?`}`;
}

/**
 * Prints an error as users meet it, on stderr, a stack trace only with `--verbose`; where JSON is asked for, also as a line of JSON on
 * stdout. Answers with the exit code.
 */
export function reportError(error: unknown, args: readonly string[], io: CliIo): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) return codeOf(error);
  const { code, title, message, help } = toReportedError(error);
  say(io.stderr, `${named(io)} ${code} ${title}: ${message}\n  ${help}\n`);
  if (args.includes('--verbose') && error instanceof Error) say(io.stderr, `${error.stack ?? ''}\n`);
  if (asksForJson(args)) printLine({ version: 1, error: { code, title, message, help } }, io);
  if (code === 'CAS2010') return exitCodes.nothingChecked;
  return foundSomething.has(code) ? exitCodes.findings : exitCodes.failure;
}

/** A command whose missing options and arguments are named all at once, in the words of every other error. */
class CastellanCommand extends Command {
  override createCommand(name?: string): CastellanCommand {
    return new CastellanCommand(name);
  }

  // Commander calls these two for the first that is missing; it declares neither in its types.
  missingArgument(): never {
    throw this.missing();
  }

  missingMandatoryOptionValue(): never {
    throw this.missing();
  }

  private missing(): CastellanError {
    const options = this.options
      .filter((each) => each.mandatory && this.getOptionValue(each.attributeName()) === undefined)
      .map(({ flags }) => flags);
    const names = [
      ...this.registeredArguments
        .filter(({ required }, index) => required && this.args[index] === undefined)
        .map((each) => `<${each.name()}>${each.argChoices === undefined ? '' : ` (${each.argChoices.join(', ')})`}`),
      ...options,
    ];
    return new CastellanError('CAS8001', `${pathOf(this)} needs ${names.join(' and ')}`, { details: { missing: names } });
  }
}

/** `castellan sandbox start`, as it is typed. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
