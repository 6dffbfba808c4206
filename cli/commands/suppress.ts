import { omitUndefined } from '../../core/values/omit-undefined.js';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import type { CheckReport } from '../../policies/check/run-check.js';
import { checkEnvironments, mergeReports } from '../../policies/check/check-environments.js';
import {
  addSuppression,
  removeComments,
  removeSuppressions,
} from '../../policies/check/policy/edit-suppressions.js';
import { policyName } from '../../policies/check/policy/find-policy.js';
import {
  canBeSuppressed,
  isDay,
  suppressionsOf,
  valueFinder,
} from '../../policies/check/policy/suppressions.js';
import type { Suppression } from '../../policies/check/policy/suppression-comments.js';
import { secretRuleIds } from '../../policies/rules/declaration/app-secret-in-env.js';
import type { SuppressionConfig } from '../../kinds/policy/schema.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { changeFile } from '../files.js';
import { type InputFlags, addInputOptions, checkOptionsOf } from './check/inputs.js';

interface AddFlags extends InputFlags, FormatFlags {
  readonly reason: string;
  /** Who answers for the suppression. */
  readonly owner: string;
  /** The last day of the suppression, such as `2027-01-31`. */
  readonly until: string;
}

/** `castellan suppress add|list|prune`: accepts findings for a period, in castellan.policy.yaml. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('suppress')
    .description('Accept findings for a time; see castellan.policy.yaml.');
  const check = async (paths: readonly string[], flags: InputFlags): Promise<CheckReport> => {
    const report = mergeReports(
      await checkEnvironments({ ...(await checkOptionsOf(paths, flags, io)), baseline: 'none' }),
    );
    // a policy with mistakes sets nothing, and would seem to suppress nothing
    if (report.policy.findings.length > 0)
      throw new CastellanError(
        'CAS7005',
        `correct ${report.policy.file ?? policyName} first: it has mistakes`,
      );
    return report;
  };
  const withPaths = (each: Command): Command =>
    addInputOptions(each.argument('[paths...]', 'files and folders (default: this folder)'));

  const addCommand = withPaths(
    command
      .command('add')
      .description('Accept a finding, as long as its value is the same.')
      .argument(
        '<finding>',
        "the finding's fingerprint, or RULE@PATH such as auth-public-app@containerApps.shop",
      )
      .requiredOption('--reason <text>', 'why it is accepted')
      .requiredOption('--owner <name>', 'who answers for it')
      .requiredOption('--until <day>', 'its last day: YYYY-MM-DD'),
  );
  addFormat(addCommand).action(
    async (findingReference: string, paths: string[], flags: AddFlags) => {
      validateAddFlags(flags);
      addToPolicy(findingReference, await check(paths, flags), { ...flags, paths }, io);
      done(exitCodes.clean);
    },
  );

  addFormat(
    withPaths(command.command('list').description('List suppressions, and whether they apply.')),
  ).action(async (paths: string[], flags: InputFlags & FormatFlags) => {
    const format = formatOf(flags);
    const report = await check(paths, flags);
    const suppressions = (await allSuppressions(report)).map((each) => ({
      ...each,
      state: stateOf(each, report),
    }));
    const lines = suppressions.map(
      ({ rule, reason = '', owner = '', until = '', location, path, environments, state }) =>
        `${location.file}:${String(location.line)} ${rule} ${state} ${path ?? ''} "${reason}" owner=${owner} until=${until}${environments === undefined ? '' : ` environments=${environments.join(',')}`}\n`,
    );
    printResult(format, { suppressions }, lines.join(''), io);
    if (lines.length === 0) printText(io.stderr, 'no suppressions\n');
    done(exitCodes.clean);
  });

  addFormat(
    withPaths(
      command
        .command('prune')
        .description('Remove suppressions that are expired or no longer match a finding.'),
    ),
  ).action(async (paths: string[], flags: InputFlags & FormatFlags) => {
    const format = formatOf(flags);
    const removed = await pruneSuppressions(await check(paths, flags), io);
    printResult(format, { removed }, `${String(removed)} removed\n`, io);
    done(exitCodes.clean);
  });
};

function validateAddFlags({ reason, owner, until }: AddFlags): void {
  const flagError = (message: string): CastellanError => new CastellanError('CAS7005', message);
  if (reason.trim() === '') throw flagError('--reason is empty; say why it is accepted');
  if (owner.trim() === '') throw flagError('--owner is empty; say who answers for it');
  if (!isDay(until)) throw flagError(`--until ${until} is no day such as 2027-01-31`);
  if (until < new Date().toISOString().slice(0, 10))
    throw flagError(`--until ${until} is over already`);
}

function addToPolicy(
  findingReference: string,
  report: CheckReport,
  flags: AddFlags & { readonly paths: readonly string[] },
  io: CliIo,
): void {
  const finding = findingOf(findingReference, report);
  const { policy } = report;
  const format = formatOf(flags);
  const file = policy.file ?? policyName;
  const target = resolve(io.cwd, file);
  // the policy applies to the stacks of other paths, too
  const isWholeProject = flags.paths.every((each) => resolve(io.cwd, each) === resolve(io.cwd));
  const suppression = suppressionOf(finding, report, {
    ...flags,
    scope: isWholeProject ? 'all stacks' : 'some stacks',
  });
  changeFile(
    io,
    file,
    addSuppression(existsSync(target) ? readFileSync(target, 'utf8') : '', suppression),
  );
  const text = `${file}: ${finding.ruleId} at ${(finding.path ?? []).join('.')} is accepted until ${flags.until}\n`;
  printResult(format, { file, suppression }, text, io);
}

/**
 * The narrowest suppression: for a list entry by its fingerprint, which is stable, not by its
 * index.
 *
 * @param flags `scope`: whether the check was of all stacks to which the policy applies.
 */
function suppressionOf(
  finding: Finding,
  { stacks, environments: overlayEnvironments }: CheckReport,
  { reason, owner, until, scope }: AddFlags & { readonly scope: 'all stacks' | 'some stacks' },
): SuppressionConfig {
  const { ruleId: rule, path = [], fingerprint, stack, environments = [] } = finding;
  const value = valueFinder(stacks)(finding);
  const bindsValue =
    value !== undefined && value !== null && typeof value !== 'object' && !secretRuleIds.has(rule);
  const hasStablePath = path.length > 0 && path.every((step) => typeof step === 'string');
  const isOnlyStack =
    scope === 'all stacks' && new Set(stacks.map(({ config }) => config.stack)).size === 1;
  // all environments are those with an overlay and the default one
  const isInSomeEnvironments =
    environments.length > 0 && environments.length <= overlayEnvironments.length;
  return {
    rule,
    ...(hasStablePath ? { path: path.join('.') } : { fingerprint }),
    ...(bindsValue && { value }),
    ...omitUndefined({ stack: isOnlyStack ? undefined : stack }),
    ...(isInSomeEnvironments && { environments }),
    reason,
    owner,
    until,
  };
}

function findingOf(findingReference: string, { findings, suppressed }: CheckReport): Finding {
  const [rule, path] = findingReference.split('@');
  const matches = ({ fingerprint, ruleId, path: own = [] }: Finding): boolean =>
    fingerprint === findingReference ||
    (ruleId === rule && path !== undefined && `${own.join('.')}.`.startsWith(`${path}.`));
  const finding = findings.find(matches);
  if (finding !== undefined && canBeSuppressed(finding.ruleId)) return finding;
  const why =
    finding !== undefined
      ? `${finding.ruleId} can't be accepted: correct what it says`
      : suppressed.some(matches)
        ? `${findingReference} is accepted already`
        : `there is no finding ${findingReference} here`;
  throw new CastellanError('CAS7005', why, { details: { given: findingReference } });
}

function allSuppressions({ sources, policy }: CheckReport): Promise<readonly Suppression[]> {
  return suppressionsOf(sources ?? new Map(), policy);
}

function stateOf(
  { location, rule }: Suppression,
  report: CheckReport,
): 'used' | 'unused' | 'expired' | 'incomplete' {
  const suppressionFinding = report.findings.find(
    (finding) =>
      finding.ruleId.startsWith('suppression-') &&
      finding.location?.file === location.file &&
      finding.location.line === location.line &&
      finding.parameters['given'] === rule,
  );
  return (
    (suppressionFinding?.ruleId.slice('suppression-'.length) as
      'unused' | 'expired' | 'incomplete' | undefined) ?? 'used'
  );
}

async function pruneSuppressions(report: CheckReport, io: CliIo): Promise<number> {
  const obsolete = (await allSuppressions(report)).filter((each) =>
    ['unused', 'expired'].includes(stateOf(each, report)),
  );
  const policyFile = report.policy.file;
  for (const file of new Set(obsolete.map(({ location }) => location.file))) {
    const target = resolve(io.cwd, file);
    const text = readFileSync(target, 'utf8');
    const places = obsolete
      .filter(({ location }) => location.file === file)
      .map(({ location }) => location);
    const lines = places.map(({ line }) => line);
    const indexes = (report.policy.config.suppressions ?? []).flatMap((_, index) =>
      lines.includes(report.policy.locate(['suppressions', index])?.line ?? 0) ? [index] : [],
    );
    changeFile(
      io,
      file,
      file === policyFile ? removeSuppressions(text, indexes) : removeComments(text, places),
    );
  }
  return obsolete.length;
}
