import { createInterface } from 'node:readline';
import { CastellanError } from '../core/errors/castellan-error.js';
import type { CliIo } from './command.js';

/** Whether questions can be asked: there is a terminal, and it is not a CI job. */
export function canPrompt({ stdin, stderr, env }: CliIo): boolean {
  return stderr.isTTY === true && !env['CI'] && stdin?.().isTTY === true;
}

/**
 * Asks a question on stderr.
 *
 * @returns the answer without surrounding spaces; empty at the end of input.
 * @throws CAS8104 when it is answered by Ctrl+C.
 */
export function prompt(question: string, { stdin, stderr }: CliIo): Promise<string> {
  if (stdin === undefined) return Promise.resolve('');
  const lines = createInterface({ input: stdin(), output: stderr });
  return new Promise((done, fail) => {
    let isAnswered = false;
    lines.once('SIGINT', () => {
      fail(new CastellanError('CAS8104', 'Ctrl+C answered the question: nothing was changed'));
      lines.close();
    });
    lines.once('close', () => {
      // Ctrl+C and the end of input leave the cursor behind the question
      if (!isAnswered) stderr.write('\n');
      done('');
    });
    lines.question(question, (answer) => {
      isAnswered = true;
      done(answer.trim());
      lines.close();
    });
  });
}
