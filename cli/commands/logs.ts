import { CastellanError } from '../../core/errors/castellan-error.js';
import { type EnvironmentFlags, environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';

interface LogFlags extends FormatFlags, EnvironmentFlags {
  readonly follow?: boolean;
  readonly since?: string;
}

/** `castellan logs [APP]`: what apps of the sandbox write. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('logs')
    .description('Show what an app of the sandbox writes, and why it ended; all of them where none is named.')
    .argument('[app]', 'the name of an app')
    .option('-f, --follow', 'go on with what is written from now on; as JSON, each line is an object of its own');
  addFormat(command)
    .option('--since <time>', 'only from then on: 30s, 10m, 2h, 1d or 2026-11-22T12:00:00Z')
    .option(...environmentOption)
    .addOption(environmentInShort())
    .action(async (app: string | undefined, flags: LogFlags) => {
      const since = sinceOf(flags.since);
      const { showLogs } = await import('../sandbox/logs.js');
      await showLogs({ app, since, follow: flags.follow === true, format: formatOf(flags), ...environmentOf(flags) }, io);
      done(0);
    });
};

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function sinceOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (number !== undefined && unit !== undefined) return new Date(Date.now() - Number(number) * (units[unit] ?? 1) * 1000);
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(time.getTime()))
    throw new CastellanError('CAS8001', `--since ${text}: allowed are 30s, 10m, 2h, 1d or a time such as 2026-11-22T12:00:00Z`);
  return time;
}
