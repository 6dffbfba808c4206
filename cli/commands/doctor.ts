import { exitCodes } from '../../core/findings/exit-code.js';
import { paint, screenOf } from '../../core/text/terminal.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';
import { say } from '../say.js';

const signs = { ok: ['ok  ', 'added'], warning: ['warn', 'warning'], problem: ['FAIL', 'error'] } as const;

/** `castellan doctor`: what is wrong on this machine, and how to mend it. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('doctor').description('Say what is wrong on this machine and in this folder, and how to mend it.')).action(
    async (flags: FormatFlags) => {
      const format = formatOf(flags);
      const { examine } = await import('../doctor/examine.js');
      const results = await examine(io);
      if (format === 'json') io.stdout.write(`${JSON.stringify({ version: 1, checks: results }, null, 2)}\n`);
      const screen = screenOf(io.stdout, io.env);
      if (format === 'text')
        for (const { name, state, found, mend } of results)
          say(
            io.stdout,
            `${paint(signs[state][0], signs[state][1], screen)}  ${name.padEnd(12)}${found}${mend === undefined ? '' : `\n      ${mend}`}\n`,
          );
      done(results.some(({ state }) => state === 'problem') ? exitCodes.findings : exitCodes.clean);
    },
  );
};
