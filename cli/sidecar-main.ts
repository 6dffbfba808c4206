import type { CliIo } from './command.js';
import { exitCodes } from '../core/findings/exit-code.js';
import { register } from './commands/sidecar.js';
import { createProgram, reportError } from './program.js';

/**
 * `castellan sidecar` without the other commands. The build puts this module with everything that it needs into one file
 * (dist/cli/sidecar-main.js): two hundred small ones cost a fresh process time and memory before its first request.
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
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
