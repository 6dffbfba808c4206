import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { runSandbox } from '../sandbox/control-plane/run.js';
import { reportError } from './report-error.js';
import { interruption, type Main } from './start.js';

/**
 * `castellan sandbox run`, the process that `sandbox start` and `up` start in the background; not
 * meant to be typed. The build bundles this module into dist/cli/sandbox-main.js: loading two
 * thousand modules took more than half of a start.
 */
export const main: Main = async (args, io) => {
  try {
    const options = {
      project: { type: 'string', default: io.cwd },
      environment: { type: 'string' },
    } as const;
    const { project, environment } = parseArgs({ args: args.slice(2), options }).values;
    const end = once(interruption(), 'abort');
    const running = await runSandbox(project, io.env, environment);
    await end;
    await running.close();
    return 0;
  } catch (error) {
    return reportError(error, args, io);
  }
};
