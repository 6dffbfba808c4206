import { createInterface } from 'node:readline';
import type { CliIo } from './command.js';

/** Whether questions can be asked: the user sits at a terminal, and it is no CI job. */
export function canAsk({ stdin, stderr, env }: CliIo): boolean {
  return stdin?.isTTY === true && stderr.isTTY === true && !env['CI'];
}

/** Asks a question on stderr. @returns the answer without blanks around it; empty when the input ends. */
export function ask(question: string, { stdin, stderr }: CliIo): Promise<string> {
  if (stdin === undefined) return Promise.resolve('');
  const lines = createInterface({ input: stdin, output: stderr });
  return new Promise((done) => {
    lines.once('close', () => done(''));
    lines.question(question, (answer) => {
      done(answer.trim());
      lines.close();
    });
  });
}
