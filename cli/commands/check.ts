import { exitCodes } from '../../core/findings/exit-code.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { checkEnvironments, mergeReports } from '../../policies/check/check-environments.js';
import { unsetVariablesWithoutSecrets } from '../../policies/check/unset-variables.js';
import { exitCodeOf } from '../../policies/check/run-check.js';
import type { SkippedPath } from '../../policies/model/load-config.js';
import type { RunCheckOptions } from '../../policies/check/check-report.js';
import type { ChangedStacks } from '../changed-stacks.js';
import { formats } from '../../policies/reporters/formats.js';
import { ChoiceOption, listOfWords } from '../choice-option.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { type InputFlags, addInputOptions, checkOptionsOf } from './check/inputs.js';
import { parseFormats, writeReports } from './check/output.js';
import { printText } from '../format.js';
import { reportSkippedPaths, whyNoConfiguration } from '../skipped-paths.js';

interface CheckFlags extends InputFlags {
  /** Each `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly json?: boolean;
  readonly failOnUnknown?: boolean;
  readonly failOnUnset?: boolean;
  readonly requireRules?: boolean;
  readonly baseline?: string;
  readonly base?: string;
  readonly changed?: boolean;
  /** Undefined: as the terminal and the environment variables allow. */
  readonly color?: boolean;
}

/** `castellan check [paths…]`: every limit and rule, with the line, before anything is planned. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('check')
    .description(
      'Check configurations: every limit and rule, with the line, before anything is planned.',
    )
    .argument('[paths...]', 'files and folders (default: this folder)')
    .addOption(
      new ChoiceOption(
        '-f, --format <format[=file]>',
        Object.keys(formats),
        `${listOfWords(Object.keys(formats))}; repeatable`,
      ).argParser((value: string, all: readonly string[] = []) => [...all, value]),
    )
    .option('--json', 'short for --format json')
    .option('--fail-on-unknown', 'exit with 3 when a verdict must wait for the plan')
    .option(
      '--fail-on-unset',
      'exit with 3 when a variable is not set that a verdict needs; those of secrets may be unset',
    )
    .option('--require-rules', 'exit with 1 when no rule judges a resource of the plan or state')
    .option(
      '--base <commit>',
      'compare with a commit or branch: only new findings fail, and dangerous changes are findings',
    )
    .option(
      '--changed',
      'only the stacks that the change touches: since --base, or since the main branch',
    )
    .option(
      '--baseline <file>',
      'the baseline, or none (default: castellan.baseline.json beside the policy, where there is one)',
    )
    .option('--color', 'colour the text even when it goes to a file')
    .option('--no-color', 'never colour the text');
  addInputOptions(command).action(async (paths: string[], flags: CheckFlags) =>
    done(await check(paths, flags, io)),
  );
};

/** Checks and reports; returns the exit code. */
export async function check(
  paths: readonly string[],
  flags: CheckFlags,
  io: CliIo,
): Promise<number> {
  const outputs = parseFormats([...(flags.format ?? []), ...(flags.json === true ? ['json'] : [])]);
  // A report in Markdown, which the job summary of `github` is, too, has a diagram of the plan.
  const drawsPlan = outputs.some(({ format }) => format === 'markdown' || format === 'github');
  const allInputs = await checkOptionsOf(paths, flags, io);
  const changedStacks =
    flags.changed === true ? await changedStacksSince(flags.base, allInputs, io) : undefined;
  const inputs = { ...allInputs, ...omitUndefined({ isSelected: changedStacks?.isTouched }) };
  const report = mergeReports(
    await checkEnvironments({ ...inputs, drawsPlan, baseline: flags.baseline, base: flags.base }),
  );
  await writeReports(report, outputs, io, flags.color);
  reportSkippedPaths(report.skippedPaths, io);
  for (const note of report.notes) printText(io.stderr, `castellan: ${note}\n`);
  const exitCode = exitCodeOf(report, {
    failOnUnknown: flags.failOnUnknown === true,
    failOnUnset: flags.failOnUnset === true,
    requireRules: flags.requireRules === true,
  });
  if (flags.requireRules === true && (report.unjudged ?? 0) > 0)
    printText(io.stderr, `castellan: no rule judges ${listTypes(report.unjudgedTypes)}\n`);
  const unsetVariables =
    exitCode === exitCodes.unknown ? unsetVariablesWithoutSecrets(report.findings) : [];
  if (unsetVariables.length > 0)
    printText(
      io.stderr,
      `castellan: not judged without ${unsetVariables.join(', ')}: set ${unsetVariables.length === 1 ? 'it' : 'them'} where the check runs\n`,
    );
  // There are stacks, and the change touches none of them: that is fine.
  if (exitCode === exitCodes.nothingChecked && changedStacks?.hasStacks === true)
    return exitCodes.clean;
  if (exitCode === exitCodes.nothingChecked)
    printText(
      io.stderr,
      `castellan: nothing was checked: ${whyNothingChecked(inputs.paths, report.skippedPaths, flags)}\n`,
    );
  return exitCode;
}

/** The stacks that a change touches; loads the code for git only when it is needed. */
async function changedStacksSince(
  base: string | undefined,
  inputs: RunCheckOptions,
  io: CliIo,
): Promise<ChangedStacks> {
  const { changedStacks } = await import('../changed-stacks.js');
  return changedStacks(inputs, base, io);
}

/** `aws_s3_bucket (2) and aws_iam_role`. */
function listTypes(types: ReadonlyMap<string, number>): string {
  const names = [...types]
    .sort()
    .map(([type, count]) => (count === 1 ? type : `${type} (${String(count)})`));
  return names.join(', ');
}

/** The reason for the exit code 4, for the message. */
function whyNothingChecked(
  paths: readonly string[],
  skippedPaths: readonly SkippedPath[],
  { plan, state }: CheckFlags,
): string {
  if (paths.length > 0) return whyNoConfiguration(paths, skippedPaths);
  const files = [plan, state].filter((file) => file !== undefined);
  return `${files.join(' and ')} holds no managed resource`;
}
