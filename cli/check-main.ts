import type { CliIo } from './command.js';
import { register } from './commands/check.js';
import { runSingle } from './single-command.js';

/**
 * `castellan check` without the other commands. The build puts this module with everything that it needs and with compiled
 * schemas into one file, dist/cli/check-main.js, so that a check with options starts fast, too (bench/speed).
 */
export function main(args: readonly string[], io: CliIo): Promise<number> {
  return runSingle(register, args, io);
}
