import { register } from './commands/sidecar.js';
import { runSingle } from './run-commands.js';

/**
 * `castellan sidecar` without the other commands. The build bundles this module into
 * dist/cli/sidecar-main.js: loading two hundred small files costs a new process time and memory.
 */
export const main = runSingle('sidecar', register);
