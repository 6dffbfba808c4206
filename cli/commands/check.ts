import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { exitCodeOf, runCheck } from '../../policies/engine/run-check.js';
import type { LiveReader } from '../../policies/sources/live/live-reader.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { parseFormats, writeReports } from './check/output.js';
import { directoryOptions } from './directory/options.js';
import type { DirectoryFlags } from './directory/options.js';

interface CheckFlags extends DirectoryFlags {
  readonly environment?: string;
  readonly format: readonly string[];
  readonly failOnUnknown: boolean;
  readonly policy?: string;
  readonly baseline?: string;
  readonly plan?: string;
  readonly state?: string;
  readonly live?: boolean;
  readonly base?: string;
  readonly color?: boolean;
}

/** `castellan check [paths…]`: every limit and rule, with the line, before anything is planned. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('check')
    .description('Check configurations: every limit and rule, with the line, before anything is planned.')
    .argument('[paths...]', 'files and folders (default: this folder)')
    .option('-e, --environment <name>', 'lay the overlay of an environment over it (castellan.NAME.yaml)')
    .option(
      '-f, --format <format[=file]>',
      'text, json, sarif, junit, github, markdown or html; repeatable',
      (value: string, all: readonly string[]) => [...all, value],
      [],
    )
    .option('--fail-on-unknown', 'exit with 3 when a verdict must wait for the plan', false)
    .option('--plan <file>', 'check a plan, too: what terraform show -json PLANFILE prints')
    .option('--state <file>', 'check a state, too: what terraform show -json prints for it')
    .option('--live', 'look at the directory, too: owners of the declared groups, and what differs there')
    .option('--base <commit>', 'compare with a commit or branch: only new findings fail, and dangerous changes are findings')
    .option('--policy <file>', 'the policy (default: castellan.policy.yaml here or beside a configuration)')
    .option('--baseline <file>', 'the baseline, or none (default: castellan.baseline.json beside the policy, where there is one)')
    .option('--color', 'colour the text even when it goes to a file')
    .option('--no-color', 'never colour the text');
  directoryOptions(command).action(async (paths: string[], flags: CheckFlags) => {
    const formats = parseFormats(flags.format);
    const given = paths.length === 0 && flags.plan === undefined && flags.state === undefined ? ['.'] : paths;
    const live = await liveOf(flags, io);
    const report = await runCheck({
      paths: given,
      recursive: true,
      cwd: io.cwd,
      env: io.env,
      environment: flags.environment,
      policy: flags.policy,
      baseline: flags.baseline,
      plan: flags.plan,
      state: flags.state,
      live,
      base: flags.base,
    });
    await writeReports(report, formats, io, flags.color);
    const exitCode = exitCodeOf(report, flags);
    if (exitCode === exitCodes.nothingChecked) io.stderr.write(`castellan: nothing was checked: ${emptyIn(given, flags)}\n`);
    done(exitCode);
  });
};

/** Connects to the directory only when it is asked for: the clients are loaded no sooner. */
async function liveOf({ live, ...where }: CheckFlags, io: CliIo): Promise<LiveReader | undefined> {
  if (live === true) return (await import('./check/live.js')).liveReader(where, io);
  const flag = (['endpoint', 'sandbox', 'dialect', 'ca'] as const).find((name) => where[name] !== undefined);
  if (flag !== undefined) throw new CastellanError('CAS8001', `--${flag} says where --live looks: give --live, too`);
  return undefined;
}

function emptyIn(paths: readonly string[], { plan, state }: CheckFlags): string {
  const files = [plan, state].filter((file) => file !== undefined);
  return paths.length > 0 ? `there is no castellan.yaml in ${paths.join(', ')}` : `${files.join(' and ')} holds no managed resource`;
}
