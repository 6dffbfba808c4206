import { Writable } from 'node:stream';
import { main } from '../../cli/main.js';

/** The result of a command line that ran in the process of the test. */
export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line in the process of the test, without the machine's environment variables.
 *
 * @param runProgram the program of the package. @default that of castellan
 */
export async function runCli(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
  runProgram: typeof main = main,
): Promise<CliRun> {
  const [stdout, stderr] = [collector(), collector()];
  const exitCode = await runProgram(args, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: options.env ?? {},
    cwd: options.cwd,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

/**
 * Like {@link runCli}, but with the environment variables of the test: faster than a process of its
 * own.
 */
export function runCliWithTestEnvironment(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<CliRun> {
  const env = { ...process.env, NO_COLOR: '1', CI: '1', ...options.env };
  return runCli(args, { cwd: options.cwd, env });
}

function collector(): { readonly stream: Writable; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}
