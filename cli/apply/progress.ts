import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import type { CliIo } from '../command.js';

/** Reports the present step of a task in one line. */
export type PrintLine = (line: string) => void;

/** A task with its progress. */
export interface Task<T> {
  /** The line that is shown when it starts. */
  readonly title: string;
  readonly work: (printLine: PrintLine) => Promise<T>;
}

/** Shows tasks while they run, on stderr, since stdout is for results. */
export interface Progress {
  /** Whether a person watches. */
  readonly isTerminal: boolean;
  /**
   * Runs tasks in parallel and returns their results in order. Throws after all have ended: the
   * first failure, with the messages of the others.
   */
  run<T>(tasks: readonly Task<T>[]): Promise<T[]>;
}

/** Runs one task. */
export async function runTask<T>(
  progress: Progress,
  title: string,
  work: Task<T>['work'],
): Promise<T> {
  return (await progress.run([{ title, work }]))[0] as T;
}

/** Writes a line when a task starts, and its steps indented below. */
export function createProgress(io: CliIo): Progress {
  const write = (line: string): void => void io.stderr.write(`${line}\n`);
  return {
    isTerminal: io.stderr.isTTY === true && !io.env['CI'],
    run: (tasks) =>
      waitForAll(
        tasks.map(async ({ title, work }) => {
          write(title);
          return work((line) => write(`  ${line}`));
        }),
      ),
  };
}

/** Shows nothing. */
export const silentProgress: Progress = {
  isTerminal: false,
  run: (tasks) => waitForAll(tasks.map(({ work }) => work(() => undefined))),
};

/** Starts no more tasks after an interrupt. @throws CAS2105 for the tasks that are not started */
export function interruptible(progress: Progress, interrupt: AbortSignal): Progress {
  return {
    ...progress,
    run: async (tasks) => {
      if (!interrupt.aborted) return progress.run(tasks);
      const titles = tasks.map(({ title }) => title).join(', ');
      throw new CastellanError('CAS2105', `not started: ${titles}`);
    },
  };
}

async function waitForAll<T>(running: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(running);
  const failures = outcomes.flatMap((each): unknown[] =>
    each.status === 'rejected' ? [each.reason] : [],
  );
  if (failures.length > 1) throw joinedFailure(failures);
  return Promise.all(running);
}

/** The first failure, whose message also has those of the others. */
function joinedFailure(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (!isCastellanError(first)) return first;
  const messages = failures.map((each) => {
    if (!isCastellanError(each)) return each instanceof Error ? each.message : String(each);
    return each.code === first.code ? each.message : `${each.code} ${each.title}: ${each.message}`;
  });
  return new CastellanError(first.code, [...new Set(messages)].join('\n'), {
    details: first.details,
    cause: new AggregateError(failures),
  });
}
