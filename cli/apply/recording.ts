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
  const endRecording = async (): Promise<void> => {
    const { calls } = await recordSandbox(projectDir, undefined, environmentName);
    printText(io.stderr, `${record}: ${calls} calls recorded\n`);
  };
  const result = await work().catch(async (error: unknown) => {
    // a sandbox that has ended meanwhile is not why the work failed
    await endRecording().catch(() => undefined);
    throw error;
  });
  await endRecording();
  return result;
}
