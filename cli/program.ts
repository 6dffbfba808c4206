import { Command, CommanderError } from 'commander';
import { isCastellanError } from '../core/errors/castellan-error.js';
import { exitCodes } from '../core/findings/exit-code.js';
import packageJson from '../package.json';
import type { CliIo } from './command.js';

/** Errors that say what was found rather than that something went wrong. */
const foundSomething: ReadonlySet<string> = new Set(['CAS8101', 'CAS8103']);

/** The program without its commands: name, version, and where it writes. */
export function createProgram(io: CliIo): Command {
  const program = new Command('castellan');
  program
    .description('Infrastructure and policy as code: declare, check, synthesize, apply to a local sandbox or to the cloud.')
    .version(packageJson.version)
    .option('--verbose', 'show stack traces of unexpected failures')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });
  return program;
}

/** Prints an error as users meet it, a stack trace only with `--verbose`, and answers with the exit code. */
export function reportError(error: unknown, args: readonly string[], io: CliIo): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.clean : exitCodes.failure;
  const verbose = args.includes('--verbose');
  if (isCastellanError(error)) io.stderr.write(`castellan: ${error.code} ${error.title}: ${error.message}\n  ${error.help}\n`);
  else io.stderr.write(`castellan: CAS8999 unexpected failure: ${error instanceof Error ? error.message : String(error)}\n`);
  if (verbose && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`);
  if (!isCastellanError(error)) return exitCodes.failure;
  if (error.code === 'CAS2010') return exitCodes.nothingChecked;
  return foundSomething.has(error.code) ? exitCodes.findings : exitCodes.failure;
}
