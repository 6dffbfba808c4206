import type { CliIo } from '../command.js';

/** Reports the present step of a task in one line. */
export type Say = (line: string) => void;

/** A task with its progress. */
export interface Task<T> {
  readonly title: string;
  readonly work: (say: Say) => Promise<T>;
}

/** Shows tasks while they run, on stderr, since stdout is for results. */
export interface Progress {
  /**
   * Runs tasks in parallel and returns their results in order; throws the first failure after all
   * have ended.
   */
  run<T>(tasks: readonly Task<T>[]): Promise<T[]>;
}

/** Runs one task. */
export async function step<T>(
  progress: Progress,
  title: string,
  work: Task<T>['work'],
): Promise<T> {
  return (await progress.run([{ title, work }]))[0] as T;
}

/** Spinners on a terminal, plain lines elsewhere and under `CI`. */
export function createProgress(io: CliIo): Progress {
  return io.stderr.isTTY === true && !io.env['CI'] ? terminalProgress(io) : plainProgress(io);
}

/** Shows nothing. */
export const silentProgress: Progress = {
  run: (tasks) => settle(tasks.map(({ work }) => work(() => undefined))),
};

function plainProgress(io: CliIo): Progress {
  const write = (line: string): void => void io.stderr.write(`${line}\n`);
  return {
    run: (tasks) =>
      settle(
        tasks.map(async ({ title, work }) => {
          write(title);
          return work((line) => write(`  ${line}`));
        }),
      ),
  };
}

function terminalProgress(io: CliIo): Progress {
  return {
    async run<T>(tasks: readonly Task<T>[]): Promise<T[]> {
      const { Listr, ListrLogger, ProcessOutput } = await import('listr2');
      const results: T[] = [];
      const output = new ProcessOutput(
        io.stderr as NodeJS.WriteStream,
        io.stderr as NodeJS.WriteStream,
      );
      const list = new Listr(
        tasks.map(({ title, work }, index) => ({
          title,
          task: async (_context: unknown, task: { output: string }) => {
            results[index] = await work((line) => (task.output = line));
          },
        })),
        {
          concurrent: true,
          exitOnError: true,
          registerSignalListeners: false, // listr2's own handler would exit while Terraform still writes its state
          rendererOptions: { logger: new ListrLogger({ processOutput: output }) },
        },
      );
      // Waits for a running Terraform; otherwise the process ends at once (signal-exit, which comes
      // with listr2, sends the signal again).
      const interrupt = (): void => output.release();
      process.prependOnceListener('SIGINT', interrupt);
      try {
        await list.run();
      } finally {
        process.off('SIGINT', interrupt);
      }
      return results;
    },
  };
}

async function settle<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
