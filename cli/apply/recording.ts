import { resolve } from 'node:path';
import type { CliIo } from '../command.js';
import { printText } from '../format.js';
import type { ApplyOptions } from './options.js';
import type { ApplySession } from './session.js';

/**
 * Does some work. With `--record FILE`, records the calls to the sandbox's services meanwhile and
 * prints their number.
 *
 * @throws CAS4024 when the file can't be written.
 */
export async function withRecording<Result>(
  { sandbox }: Pick<ApplySession, 'sandbox'>,
  { record }: Pick<ApplyOptions, 'record'>,
  io: CliIo,
  work: () => Promise<Result>,
): Promise<Result> {
  if (record === undefined || sandbox === undefined) return work();
  const { recordSandbox } = await import('../../sandbox/index.js');
  const { projectDir, environmentName } = sandbox;
  await recordSandbox(projectDir, resolve(io.cwd, record), environmentName);
  try {
    return await work();
  } finally {
    // without a file, this ends the recording
    const { calls } = await recordSandbox(projectDir, undefined, environmentName);
    printText(io.stderr, `${record}: ${calls} calls recorded\n`);
  }
}
