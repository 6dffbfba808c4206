import { exitCodes } from '../../core/findings/exit-code.js';
import { rules } from '../../policies/rules/index.js';
import type { RegisterCommand } from '../command.js';

/** `castellan rules list`: every rule with its severity and what it demands. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('rules')
    .description('The rules of the catalogue.')
    .command('list')
    .description('List the rules.')
    .option('-f, --format <format>', 'text or json', 'text')
    .action(({ format }: { readonly format: string }) => {
      const width = Math.max(...rules.map(({ id }) => id.length));
      const text =
        format === 'json'
          ? `${JSON.stringify(
              {
                version: 1,
                rules: rules.map(({ id, title, why, severity, source, sections }) => ({ id, title, why, severity, source, sections })),
              },
              undefined,
              2,
            )}\n`
          : rules.map(({ id, title, severity }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${title}\n`).join('');
      io.stdout.write(text);
      done(exitCodes.clean);
    });
};
