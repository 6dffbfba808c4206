import type { CliIo } from './command.js';
import { register } from './commands/synth.js';
import { runSingle } from './single-command.js';

/**
 * `castellan synth` without the other commands. The build puts this module with everything that it needs, cdktf and the bindings of the
 * resources included, into one file, dist/cli/synth-main.js: a synthesis of three groups takes half the processor time of one that loads
 * 900 files.
 */
export function main(args: readonly string[], io: CliIo): Promise<number> {
  return runSingle(register, args, io);
}
