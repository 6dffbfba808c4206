import { register } from './commands/check.js';
import { runSingle } from './run-commands.js';

/**
 * `castellan check` without the other commands. The build bundles this module with compiled schemas
 * into dist/cli/check-main.js, so that a check with options starts fast, too (bench/speed).
 */
export const main = runSingle('check', register);
