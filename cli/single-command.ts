import { exitCodes } from '../core/findings/exit-code.js';
import type { CliIo, RegisterCommand } from './command.js';
import { addHelp } from './help.js';
import { createProgram } from './program.js';
import { reportError } from './report-error.js';

/** Runs a command line of one command without loading the others, and answers with its exit code. */
export async function runSingle(register: RegisterCommand, args: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = exitCodes.clean;
  const program = createProgram(io);
  try {
    register(program, io, (code) => (exitCode = code));
    if (args.includes('--help') || args.includes('-h')) for (const each of program.commands) addHelp(each, each.name());
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, args, io);
  }
}
