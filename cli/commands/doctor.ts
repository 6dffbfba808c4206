import { exitCodes } from '../../core/findings/exit-code.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';

const signs = { ok: 'ok  ', warning: 'warn', problem: 'FAIL' } as const;

/** `castellan doctor`: what is wrong on this machine, and how to mend it. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('doctor').description('Say what is wrong on this machine and in this folder, and how to mend it.')).action(
    async (flags: FormatFlags) => {
      const format = formatOf(flags);
      const { examine } = await import('../doctor/examine.js');
      const results = await examine(io);
      if (format === 'json') io.stdout.write(`${JSON.stringify({ version: 1, checks: results }, null, 2)}\n`);
      else
        for (const { name, state, found, mend } of results)
          io.stdout.write(`${signs[state]}  ${name.padEnd(12)}${found}${mend === undefined ? '' : `\n      ${mend}`}\n`);
      done(results.some(({ state }) => state === 'problem') ? exitCodes.findings : exitCodes.clean);
    },
  );
};
