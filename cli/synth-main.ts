import { register } from './commands/synth.js';
import { runSingle } from './run-commands.js';

/**
 * `castellan synth` without the other commands. The build puts this module with everything that it needs, cdktf and the bindings of the
 * resources included, into one file, dist/cli/synth-main.js: a synthesis of three groups takes half the processor time of one that loads
 * 900 files.
 */
export const main = runSingle('synth', register);
