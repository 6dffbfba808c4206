import { exitCodes } from '../core/findings/exit-code.js';
import { nearest } from '../core/text/nearest.js';
import { withApproval } from './approval-argument.js';
import type { CliIo } from './command.js';
import { commands } from './commands.js';
import { addHelp } from './help.js';
import { createProgram, reportError } from './program.js';

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
    if (entry !== undefined) {
      (await entry.load()).register(program, io, (code) => (exitCode = code));
      for (const each of program.commands) addHelp(each, each.name());
    } else for (const [each, { summary }] of Object.entries(commands)) program.command(each).description(summary);
    if (args.length === 0) {
      program.outputHelp();
      return exitCodes.failure;
    }
    await program.parseAsync([...withApproval(args)], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, args, io);
  }
}

function unknownCommand(name: string, io: CliIo): number {
  const suggestion = nearest(name, Object.keys(commands));
  io.stderr.write(
    `castellan: unknown command "${name}"${suggestion === undefined ? '' : `, did you mean "${suggestion}"?`} See castellan --help.\n`,
  );
  return exitCodes.failure;
}
