import { register } from './commands/sidecar.js';
import { runSingle } from './run-commands.js';

/**
 * `castellan sidecar` without the other commands. The build puts this module with everything that it needs into one file
 * (dist/cli/sidecar-main.js): two hundred small ones cost a fresh process time and memory before its first request.
 */
export const main = runSingle('sidecar', register);
