import { exitCodes } from '../core/findings/exit-code.js';
import type { CliIo } from './command.js';
import { register } from './commands/check.js';
import { createProgram, reportError } from './program.js';

/**
 * `castellan check` without the other commands. The build puts this module with everything that it needs and with compiled
 * schemas into one file, dist/cli/check-main.js, so that a check starts about as fast as node itself (bench/check).
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
