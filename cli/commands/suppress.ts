import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CheckReport } from '../../policies/engine/run-check.js';
import { runCheck } from '../../policies/engine/run-check.js';
import { valueAt } from '../../policies/engine/validate.js';
import { addSuppression, removeComments, removeSuppressions } from '../../policies/policy/edit-suppressions.js';
import { policyName } from '../../policies/policy/load-policy.js';
import type { Suppression } from '../../policies/policy/suppression-comments.js';
import { suppressionComments } from '../../policies/policy/suppression-comments.js';
import type { CliIo, RegisterCommand } from '../command.js';

interface AddFlags {
  readonly reason: string;
  readonly owner: string;
  readonly until: string;
}

/** `castellan suppress add|list|prune`: accepts findings for a time, in castellan.policy.yaml. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program.command('suppress').description('Accept findings for a time; see castellan.policy.yaml.');
  const check = (paths: readonly string[]): Promise<CheckReport> =>
    runCheck({ paths: paths.length === 0 ? ['.'] : paths, recursive: true, cwd: io.cwd, env: io.env, baseline: 'none' });

  command
    .command('add')
    .description('Accept a finding, while its value is the same.')
    .argument('<finding>', "the finding's fingerprint, or RULE@PATH such as auth-public-app@containerApps.shop")
    .argument('[paths...]', 'files and folders (default: this folder)')
    .requiredOption('--reason <text>', 'why it is accepted')
    .requiredOption('--owner <name>', 'who answers for it')
    .requiredOption('--until <day>', 'its last day: YYYY-MM-DD')
    .action(async (what: string, paths: string[], flags: AddFlags) => {
      await add(what, await check(paths), flags, io);
      done(exitCodes.clean);
    });

  command
    .command('list')
    .description('List suppressions, and whether they hold.')
    .argument('[paths...]', 'files and folders (default: this folder)')
    .action(async (paths: string[]) => {
      const report = await check(paths);
      for (const each of all(report)) {
        const { rule, reason = '', owner = '', until = '', location, path } = each;
        io.stdout.write(
          `${location.file}:${String(location.line)} ${rule} ${stateOf(each, report)} ${path ?? ''} "${reason}" owner=${owner} until=${until}\n`,
        );
      }
      done(exitCodes.clean);
    });

  command
    .command('prune')
    .description('Remove the suppressions that are expired or accept nothing any more.')
    .argument('[paths...]', 'files and folders (default: this folder)')
    .action(async (paths: string[]) => {
      io.stdout.write(`${String(prune(await check(paths), io))} removed\n`);
      done(exitCodes.clean);
    });
};

async function add(what: string, report: CheckReport, flags: AddFlags, io: CliIo): Promise<void> {
  const [rule, path] = what.split('@');
  const finding = report.findings.find(
    ({ fingerprint, ruleId, path: own = [] }) =>
      fingerprint === what || (ruleId === rule && path !== undefined && own.join('.').startsWith(path)),
  );
  if (finding === undefined) throw new CastellanError('CAS7005', `there is no finding ${what} here`, { details: { given: what } });
  if (!/^\d{4}-\d{2}-\d{2}$/.test(flags.until)) throw new CastellanError('CAS7005', `--until ${flags.until} is no day such as 2027-01-31`);
  const file = report.policy.file ?? policyName;
  const target = resolve(io.cwd, file);
  const value = report.stacks
    .map(({ config }) => valueAt(config, finding.path ?? []))
    .find((each) => each !== undefined && typeof each !== 'object');
  const suppression = {
    rule: finding.ruleId,
    path: (finding.path ?? []).join('.'),
    ...(value === undefined || finding.ruleId === 'secret-literal' ? {} : { value }),
    ...flags,
  };
  writeFileSync(target, addSuppression(existsSync(target) ? readFileSync(target, 'utf8') : '', suppression));
  io.stdout.write(`${file}: ${finding.ruleId} at ${suppression.path} is accepted until ${flags.until}\n`);
}

function all(report: CheckReport): readonly Suppression[] {
  const comments = [...(report.sources?.values() ?? [])].flatMap(suppressionComments);
  const listed = (report.policy.config.suppressions ?? []).map((each, index): Suppression => {
    const location = report.policy.locate(['suppressions', index]) ?? { file: report.policy.file ?? '', line: 1, column: 1 };
    return { ...each, location };
  });
  return [...comments, ...listed];
}

function stateOf({ location, rule }: Suppression, report: CheckReport): 'used' | 'unused' | 'expired' | 'incomplete' {
  const own = report.findings.find(
    (finding) =>
      finding.ruleId.startsWith('suppression-') &&
      finding.location?.file === location.file &&
      finding.location.line === location.line &&
      finding.parameters['given'] === rule,
  );
  return (own?.ruleId.slice('suppression-'.length) as 'unused' | 'expired' | 'incomplete' | undefined) ?? 'used';
}

function prune(report: CheckReport, io: CliIo): number {
  const gone = all(report).filter((each) => ['unused', 'expired'].includes(stateOf(each, report)));
  const policyFile = report.policy.file;
  for (const file of new Set(gone.map(({ location }) => location.file))) {
    const target = resolve(io.cwd, file);
    const text = readFileSync(target, 'utf8');
    const lines = gone.filter(({ location }) => location.file === file).map(({ location }) => location.line);
    const indexes = (report.policy.config.suppressions ?? []).flatMap((_, index) =>
      lines.includes(report.policy.locate(['suppressions', index])?.line ?? 0) ? [index] : [],
    );
    writeFileSync(target, file === policyFile ? removeSuppressions(text, indexes) : removeComments(text, lines));
  }
  return gone.length;
}
