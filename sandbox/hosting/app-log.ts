import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../core/source/replace-file.js';

/** In bytes: a file that is longer is kept once more under another name, then forgotten. */
const longest = 5 * 1024 * 1024;

/** The file that keeps what an app writes. */
export function appLogFile(root: string, app: string): string {
  return join(root, 'logs', `${app}.log`);
}

/** Keeps what an app writes: a line each, with its time and replica, such as `2026-11-22T12:00:00.000Z 0 listening on 8080`. */
export class AppLog {
  readonly #file: string;

  constructor(
    root: string,
    app: string,
    private readonly now: () => Date = () => new Date(),
  ) {
    makeFolder(join(root, 'logs'), 0o700);
    this.#file = appLogFile(root, app);
  }

  /**
   * Keeps text of a replica; the last line may go on in the next text.
   *
   * @param part which of several revisions or containers writes it.
   */
  writer(replica: number, part = ''): (text: string) => void {
    let rest = '';
    return (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > 10_000) {
        lines.push(rest);
        rest = '';
      }
      for (const line of lines) this.line(replica, part === '' ? line : `[${part}] ${line}`);
    };
  }

  line(replica: number, text: string): void {
    if (existsSync(this.#file) && statSync(this.#file).size > longest) renameSync(this.#file, `${this.#file}.1`);
    appendFileSync(this.#file, `${this.now().toISOString()} ${String(replica)} ${text.trimEnd()}\n`, { mode: 0o600 });
  }
}
