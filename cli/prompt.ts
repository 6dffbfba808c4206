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
 * @returns the answer without surrounding spaces.
 * @throws CAS8104 when it is answered by Ctrl+C, or the input ends.
 */
export function prompt(question: string, { stdin, stderr }: CliIo): Promise<string> {
  if (stdin === undefined) return Promise.resolve('');
  const lines = createInterface({ input: stdin(), output: stderr });
  return new Promise((done, fail) => {
    let isAnswered = false;
    lines.once('SIGINT', () => {
      fail(new CastellanError('CAS8104', 'Ctrl+C answered the question'));
      lines.close();
    });
    lines.once('close', () => {
      if (isAnswered) return;
      stderr.write('\n'); // the cursor is behind the question
      fail(new CastellanError('CAS8104', 'the input ended at the question'));
    });
    lines.question(question, (answer) => {
      isAnswered = true;
      done(answer.trim());
      lines.close();
    });
  });
}
