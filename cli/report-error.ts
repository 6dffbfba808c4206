import type { CommanderError } from 'commander';
import { isCastellanError } from '../core/errors/castellan-error.js';
import { isDiskFull } from '../core/errors/disk-full.js';
import { isPermissionDenied } from '../core/errors/permission-denied.js';
import { catalogue } from '../core/errors/catalogue.js';
import { styled, terminalOutputOf } from '../core/text/terminal.js';
import { exitCodes } from '../core/findings/exit-code.js';
import type { CliIo } from './command.js';
import { asksForJson, printJsonLine, printText } from './format.js';

/** Errors that report findings, not a failure: their exit code is 1. */
const findingErrorCodes: ReadonlySet<string> = new Set(['CAS8101', 'CAS8103']);

/** Whether commander threw an error, by its code, so that commander need not be loaded. */
function isOptionParserError(error: unknown): error is CommanderError {
  return (
    error instanceof Error &&
    String((error as Partial<CommanderError>).code).startsWith('commander.')
  );
}

function exitCodeOf({ exitCode }: CommanderError): number {
  return exitCode === 0 ? exitCodes.clean : exitCodes.failure;
}

/** The program that reports an error. */
function programName(io: CliIo): string {
  return styled('castellan:', 'error', terminalOutputOf(io.stderr, io.env));
}

/** An error for users, also the output of `--format json`. */
interface ReportedError {
  /** The code in the catalogue of errors: `CAS8001`. */
  readonly code: string;
  /** What the code stands for; the message says what is wrong here. */
  readonly title: string;
  readonly message: string;
  readonly help: string;
}

function toReportedError(error: unknown): ReportedError {
  if (isOptionParserError(error))
    return { code: 'CAS8001', ...catalogue.CAS8001, message: parserMessage(error) };
  if (!isCastellanError(error) && isDiskFull(error))
    return {
      code: 'CAS8203',
      ...catalogue.CAS8203,
      message: `the disk is full: ${(error as Error).message}`,
    };
  if (!isCastellanError(error) && isPermissionDenied(error))
    return { code: 'CAS8207', ...catalogue.CAS8207, message: (error as Error).message };
  if (!isCastellanError(error))
    return {
      code: 'CAS8999',
      ...catalogue.CAS8999,
      message: error instanceof Error ? error.message : String(error),
    };
  const { code, title, message, help } = error;
  return { code, title, message, help };
}

/** The message of an error of the option parser, in the form of every other message. */
function parserMessage({ message }: CommanderError): string {
  const [mistake = '', hint] = message
    .replace(/^error: /, '')
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/,
      '<$2> is one of $3, not "$1"',
    )
    .split('\n');
  const suggestion = /Did you mean (?:one of )?(.+?)\?\)/.exec(hint ?? '')?.[1];
  return `${mistake}${suggestion === undefined ? '' : `, did you mean ${suggestion}?`}`;
}

/**
 * Prints an error on stderr, with a stack trace only with `--verbose`; with JSON, also as a line of
 * JSON on stdout. Returns the exit code.
 */
export function reportError(error: unknown, args: readonly string[], io: CliIo): number {
  if (isOptionParserError(error) && (error.exitCode === 0 || error.code === 'commander.help'))
    return exitCodeOf(error);
  const { code, title, message, help } = toReportedError(error);
  printText(io.stderr, `${programName(io)} ${code} ${title}: ${message}\n  ${help}\n`);
  if (args.includes('--verbose') && error instanceof Error)
    printText(io.stderr, `${error.stack ?? ''}\n`);
  if (asksForJson(args)) printJsonLine({ version: 1, error: { code, title, message, help } }, io);
  if (code === 'CAS2010') return exitCodes.nothingChecked;
  return findingErrorCodes.has(code) ? exitCodes.findings : exitCodes.failure;
}
