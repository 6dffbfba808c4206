import { register } from './commands/check.js';
import { runSingle } from './run-commands.js';

/**
 * `castellan check` without the other commands. The build puts this module with everything that it needs and with compiled
 * schemas into one file, dist/cli/check-main.js, so that a check with options starts fast, too (bench/speed).
 */
export const main = runSingle('check', register);
