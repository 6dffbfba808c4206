import { exitCodes } from '../core/findings/exit-code.js';
import type { CliIo, RegisterCommand } from './command.js';
import { createProgram, reportError } from './program.js';

/** Runs a command line of one command without loading the others, and answers with its exit code. */
export async function runSingle(register: RegisterCommand, args: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = exitCodes.clean;
  const program = createProgram(io);
  try {
    register(program, io, (code) => (exitCode = code));
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, args, io);
  }
}
