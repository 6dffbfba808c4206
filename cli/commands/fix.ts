import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { styledDiff, terminalOutputOf } from '../../core/text/terminal.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { lineDiff } from '../../core/text/differences.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { checkEnvironments, mergeReports } from '../../policies/check/check-environments.js';
import { exitCodeOf } from '../../policies/check/run-check.js';
import { placeText } from '../../policies/reporters/report.js';
import { applyFileEdits, editsFor } from '../../policies/check/fix-findings.js';
import { mayWidenAccess } from '../../policies/check/widening-fixes.js';
import { rules } from '../../policies/rules/index.js';
import {
  type EnvironmentFlags,
  withoutDefaultEnvironment,
  environmentOption,
} from '../apply/options.js';
import { prompt, canPrompt } from '../prompt.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { changeFile } from '../files.js';
import { whyNoConfiguration } from '../ignored-files.js';

/**
 * A fix may uncover the next one; more rounds than this mean that two rules contradict each other.
 */
const maxRounds = 10;

/** `castellan fix [paths…]`: applies fixes, keeping comments and layout. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program.command('fix').description('Apply the fixes of findings, keeping comments and layout.'),
  )
    .argument('[paths...]', 'files and folders (default: this folder)')
    .option('--dry-run', 'show the changes and write nothing')
    .option('--rule <id...>', 'only what these rules find')
    .option('--unsafe', 'also what may change who reaches or belongs to something')
    .option('--yes', 'write without asking on a terminal')
    .option('--policy <file>', 'the policy')
    .option(...environmentOption)
    .action(
      async (
        paths: string[],
        {
          dryRun = false,
          policy,
          rule,
          unsafe = false,
          yes = false,
          ...environmentAndFormat
        }: FixFlags,
      ) => {
        const isSelected = selectRules(rule);
        const format = formatOf(environmentAndFormat);
        // with JSON, only that goes to stdout: people read the changes on stderr
        const out = format === 'json' ? io.stderr : io.stdout;
        const changedFiles = new Map<string, string>();
        const files: FileAccess = {
          ...diskFiles,
          stat: (path) =>
            changedFiles.has(path)
              ? { kind: 'file', size: changedFiles.get(path)?.length ?? 0 }
              : diskFiles.stat(path),
          read: (path) =>
            changedFiles.has(path)
              ? Buffer.from(changedFiles.get(path) ?? '')
              : diskFiles.read(path),
        };
        const location = {
          paths: paths.length === 0 ? ['.'] : paths,
          cwd: io.cwd,
          env: io.env,
          ...withoutDefaultEnvironment(environmentAndFormat),
        };
        const check = async () =>
          mergeReports(await checkEnvironments({ ...location, policy, files }));
        const originalTexts = new Map<string, string>();
        let report = await check();
        const isFixable = wasAlreadyReported(report.findings);
        const mayApply = ({ fix }: Finding): boolean =>
          unsafe || rule !== undefined || fix === undefined || !mayWidenAccess(fix);
        const appliedFixes: object[] = [];
        for (let round = 0; round < maxRounds; round++) {
          const edits = editsFor(
            report.findings.filter((each) => isSelected(each) && isFixable(each) && mayApply(each)),
            report.stacks,
          );
          if (edits.length === 0) break;
          for (const file of new Set(edits.map((each) => each.file))) {
            const fileEdits = edits.filter((each) => each.file === file);
            const text = report.sources?.get(file)?.text ?? '';
            if (!originalTexts.has(file)) originalTexts.set(file, text);
            changedFiles.set(resolve(io.cwd, file), applyFileEdits(text, fileEdits));
            for (const { finding } of fileEdits) {
              const [line, description] = [finding.location?.line, finding.fix?.description ?? ''];
              appliedFixes.push({ file, line, ruleId: finding.ruleId, description });
              printText(out, `${file}:${String(line)} ${finding.ruleId}: ${description}\n`);
            }
          }
          report = await check();
        }
        const diffs = [...originalTexts].map(([file, text]) => ({
          file,
          diff: lineDiff(text, changedFiles.get(resolve(io.cwd, file)) ?? text),
        }));
        for (const { file, diff } of diffs)
          out.write(`\n${file}\n${styledDiff(diff, terminalOutputOf(out, io.env))}\n\n`);
        if (
          !dryRun &&
          originalTexts.size > 0 &&
          !yes &&
          canPrompt(io) &&
          !/^y(es)?$/i.test(await prompt('Write these changes? [y/N] ', io))
        )
          throw new CastellanError('CAS8104', 'nothing was written');
        if (!dryRun)
          for (const [file, text] of originalTexts)
            changeFile(io, file, changedFiles.get(resolve(io.cwd, file)) ?? text);
        const remainingFindings = report.findings.filter(
          ({ verdict, severity }) => verdict === 'fail' && severity !== 'info',
        );
        for (const finding of remainingFindings)
          printText(out, describeRemaining(finding, !mayApply(finding)));
        const counts = `${dryRun ? 'would fix' : 'fixed'} ${String(appliedFixes.length)}; ${String(remainingFindings.length)} left\n`;
        printResult(
          format,
          { written: !dryRun, fixed: appliedFixes, files: diffs, left: remainingFindings },
          counts,
          io,
        );
        const exitCode = exitCodeOf(report, { failOnUnknown: false });
        if (exitCode === exitCodes.nothingChecked)
          printText(
            io.stderr,
            `castellan: nothing was checked: ${whyNoConfiguration(location.paths, report.skippedPaths)}\n`,
          );
        done(exitCode);
      },
    );
};

interface FixFlags extends FormatFlags, EnvironmentFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly policy?: string;
  readonly rule?: readonly string[];
  /** Whether to make fixes, too, that may change who reaches or belongs to something. */
  readonly unsafe?: boolean;
}

/**
 * Tells whether the first check reported a finding at the same path or above: a fix changes no
 * other place.
 */
function wasAlreadyReported(findings: readonly Finding[]): (finding: Finding) => boolean {
  const reported = findings.map(({ path = [], stack }) => ({ path, stack }));
  return (finding) =>
    reported.some(
      ({ path, stack }) =>
        stack === finding.stack && path.every((step, index) => finding.path?.[index] === step),
    );
}

function describeRemaining(finding: Finding, isUnsafe: boolean): string {
  const { ruleId, message, fix } = finding;
  const advice = isUnsafe
    ? `left for you: ${fix?.description ?? ''} may change who gets in; --rule ${ruleId} or --unsafe applies it`
    : 'left for you';
  return `${placeText(finding)} ${ruleId}: ${escapeControlCharacters(`${message} (${advice})`)}\n`;
}

/**
 * Whether to fix a finding.
 *
 * @throws CAS7001 for an unknown rule: a filter that matches nothing would look like success.
 */
function selectRules(ids: readonly string[] | undefined): (finding: Finding) => boolean {
  if (ids === undefined) return () => true;
  const ruleIds = rules.map(({ id }) => id);
  const unknownId = ids.find((id) => !ruleIds.includes(id));
  if (unknownId !== undefined)
    throw new CastellanError(
      'CAS7001',
      `there is no rule "${unknownId}"${didYouMean(nearest(unknownId, ruleIds))}`,
    );
  return ({ ruleId }) => ids.includes(ruleId);
}
