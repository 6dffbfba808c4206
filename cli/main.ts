import { Command, CommanderError } from 'commander';
import { isCastellanError } from '../core/errors/castellan-error.js';
import { exitCodes } from '../core/findings/exit-code.js';
import { nearest } from '../core/text/nearest.js';
import packageJson from '../package.json';
import type { CliIo } from './command.js';
import { commands } from './commands.js';

/**
 * Runs one command line and answers with its exit code. Findings go to stdout, progress and errors to stderr; a stack trace is shown
 * only with `--verbose`.
 *
 * @param args the words after `castellan`.
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = exitCodes.clean;
  const program = createProgram(io);
  const name = args.find((word) => !word.startsWith('-'));
  try {
    const entry = name === undefined ? undefined : commands[name];
    if (name !== undefined && entry === undefined) return unknownCommand(name, io);
    if (entry !== undefined) (await entry.load()).register(program, io, (code) => (exitCode = code));
    else for (const [each, { summary }] of Object.entries(commands)) program.command(each).description(summary);
    if (args.length === 0) {
      program.outputHelp();
      return exitCodes.failure;
    }
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, args, io);
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command('castellan');
  program
    .description('Infrastructure and policy as code: declare, check, synthesize, apply to a local sandbox or to the cloud.')
    .version(packageJson.version)
    .option('--verbose', 'show stack traces of unexpected failures')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });
  return program;
}

function unknownCommand(name: string, io: CliIo): number {
  const suggestion = nearest(name, Object.keys(commands));
  io.stderr.write(
    `castellan: unknown command "${name}"${suggestion === undefined ? '' : `, did you mean "${suggestion}"?`} See castellan --help.\n`,
  );
  return exitCodes.failure;
}

function report(error: unknown, args: readonly string[], io: CliIo): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.clean : exitCodes.failure;
  const verbose = args.includes('--verbose');
  if (isCastellanError(error)) io.stderr.write(`castellan: ${error.code} ${error.title}: ${error.message}\n  ${error.help}\n`);
  else io.stderr.write(`castellan: CAS8999 unexpected failure: ${error instanceof Error ? error.message : String(error)}\n`);
  if (verbose && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`);
  return isCastellanError(error) && error.code === 'CAS8103' ? exitCodes.findings : exitCodes.failure;
}
