import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../core/source/make-folder.js';

/** A larger log file is renamed to end in `.1`, in place of an earlier one. */
const maxLogBytes = 5 * 1024 * 1024;

/** A longer line is written before it has ended, so that it takes no memory. */
const maxUnfinishedCharacters = 10_000;

/**
 * The beginning of a line of the sandbox itself among the output of an app: it ends a line that the
 * app has not ended, as a program that crashes leaves one.
 */
export const notePrefix = 'castellan: ';

/** The log file of an app. */
export function appLogFile(root: string, app: string): string {
  return join(root, 'logs', `${app}.log`);
}

/** The name under which the log of an app's sign-in layers is kept; names of apps have no dots. */
export function layerLogName(app: string): string {
  return `${app}.sign-in`;
}

/**
 * Writes the output of an app: one line each, with its time and replica, such as
 * `2026-11-22T12:00:00.000Z 0 listening on 8080`.
 */
export class AppLog {
  readonly #file: string;
  readonly #listeners = new Set<(line: string) => void>();

  constructor(
    root: string,
    app: string,
    private readonly now: () => Date = () => new Date(),
  ) {
    makeFolder(join(root, 'logs'), 0o700);
    this.#file = appLogFile(root, app);
  }

  /**
   * A function that writes text of a replica; the last line may continue in the next text.
   *
   * @param part the revision or container, if there are several.
   */
  writer(replica: number, part = ''): (text: string) => void {
    let unfinishedLine = '';
    return (text) => {
      const separator = unfinishedLine !== '' && text.startsWith(notePrefix) ? '\n' : '';
      const lines = `${unfinishedLine}${separator}${text}`.split('\n');
      unfinishedLine = lines.pop() ?? '';
      if (unfinishedLine.length > maxUnfinishedCharacters) {
        lines.push(unfinishedLine);
        unfinishedLine = '';
      }
      for (const line of lines) this.writeLine(replica, part === '' ? line : `[${part}] ${line}`);
    };
  }

  /**
   * Writes a line; where the file can't be written, as on a full disk, only to the listeners.
   *
   * @param time its time: lines that belong together have the same one.
   */
  writeLine(replica: number, text: string, time = this.now()): void {
    const line = `${time.toISOString()} ${String(replica)} ${text.trimEnd()}`;
    try {
      this.#append(`${line}\n`);
    } catch (error) {
      // the apps and their sandbox go on without the file
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    for (const listener of this.#listeners) listener(line);
  }

  #append(text: string): void {
    makeFolder(dirname(this.#file), 0o700); // someone may have deleted the logs
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > maxLogBytes) renameSync(this.#file, `${this.#file}.1`);
    appendFileSync(this.#file, text, { mode: 0o600 });
  }

  /** Calls back for each line from now on. @returns a function that stops it. */
  subscribe(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
