import { exitCodes } from '../../core/findings/exit-code.js';
import { paint, screenOf } from '../../core/text/terminal.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';

const signs = { ok: ['ok  ', 'added'], warning: ['warn', 'warning'], problem: ['FAIL', 'error'] } as const;

/** `castellan doctor`: what is wrong on this machine, and how to mend it. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('doctor').description('Say what is wrong on this machine and in this folder, and how to mend it.')).action(
    async (flags: FormatFlags) => {
      const format = formatOf(flags);
      const { examine } = await import('../doctor/examine.js');
      const results = await examine(io);
      const screen = screenOf(io.stdout, io.env);
      const lines = results.map(
        ({ name, state, found, mend }) =>
          `${paint(signs[state][0], signs[state][1], screen)}  ${name.padEnd(12)}${found}${mend === undefined ? '' : `\n      ${mend}`}\n`,
      );
      printResult(format, { checks: results }, lines.join(''), io);
      done(results.some(({ state }) => state === 'problem') ? exitCodes.findings : exitCodes.clean);
    },
  );
};
