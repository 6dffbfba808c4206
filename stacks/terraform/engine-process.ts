import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** The end of a run of Terraform or OpenTofu. */
export interface ExitResult {
  readonly exitCode: number;
  /** What `returnedOutput` of {@link runEngine} asked for. */
  readonly output: string;
}

/**
 * Settings of Go's garbage collector. Terraform copies its whole state for every resource, which
 * makes the default collector run too often in large applies.
 */
const garbageCollectorSettings = { GOGC: '400', GOMEMLIMIT: '1GiB' };

/**
 * Runs a command of Terraform and waits for its end, also after an interrupt.
 *
 * @param returnedOutput which output is returned; that of a failed command is always both.
 * @param onLine called with each line of the standard output, which is then not returned.
 * @throws CAS2102 when the program can't be started; CAS2103 when something else killed it;
 *   CAS2105 when the command was interrupted.
 */
export function runEngine(
  {
    program,
    directory,
    env,
  }: {
    readonly program: string;
    readonly directory: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
  args: readonly string[],
  returnedOutput: 'stdout' | 'both' = 'both',
  onLine?: (line: string) => void,
): Promise<ExitResult> {
  const child = spawn(program, [...args], {
    cwd: directory,
    env: { ...garbageCollectorSettings, ...env, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
  else child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  let isInterrupted = false;
  // A second signal would make Terraform exit without writing its state
  const onInterrupt = (): void => void (isInterrupted = true);
  const onTermination = (): void => {
    isInterrupted = true;
    child.kill('SIGTERM');
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTermination);
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new CastellanError('CAS2102', `${program} can't be started: ${cause.message}`, { cause }),
      ),
    );
    child.once('close', (exitCode, signal) => {
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTermination);
      if (isInterrupted)
        reject(
          new CastellanError(
            'CAS2105',
            `terraform ${args[0] ?? ''} was interrupted in ${directory}`,
          ),
        );
      else if (exitCode === null)
        reject(
          new CastellanError(
            'CAS2103',
            `terraform ${args[0] ?? ''} was killed by ${String(signal)} in ${directory}, which a system does when its memory runs out: run the command again`,
          ),
        );
      else
        resolve({
          exitCode,
          output: returnedOutput === 'both' || exitCode !== 0 ? output + errorOutput : output,
        });
    });
  });
}
