import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { styledDiff, terminalOutputOf } from '../../core/text/terminal.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { readSource } from '../../core/source/read-source.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { lineDiff } from '../../core/text/differences.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { checkEnvironments, mergeReports } from '../../policies/check/check-environments.js';
import type { CheckReport } from '../../policies/check/check-report.js';
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
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { changeFile } from '../files.js';
import { whyNoConfiguration } from '../skipped-paths.js';

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
    .action(async (paths: string[], flags: FixFlags) => done(await fix(paths, flags, io)));
};

/** Applies fixes until there are none left, and prints the changes and what is left. */
async function fix(paths: readonly string[], flags: FixFlags, io: CliIo): Promise<number> {
  const { dryRun = false, policy, rule, unsafe = false, yes = false } = flags;
  const isSelected = selectRules(rule);
  const format = formatOf(flags);
  // with JSON, only that goes to stdout: people read the changes on stderr
  const out = format === 'json' ? io.stderr : io.stdout;
  const changes = new FileChanges(io.cwd);
  const location = {
    paths: paths.length === 0 ? ['.'] : paths,
    cwd: io.cwd,
    env: io.env,
    ...withoutDefaultEnvironment(flags),
  };
  const mayApply = (finding: Finding): boolean =>
    unsafe || rule !== undefined || finding.fix === undefined || !mayWidenAccess(finding.fix);
  const { report, fixed } = await applyFixes(changes, {
    check: async () =>
      mergeReports(await checkEnvironments({ ...location, policy, files: changes.fileAccess })),
    isSelected: (finding) => isSelected(finding) && mayApply(finding),
    onFix: ({ file, line, ruleId, description }) =>
      printText(out, `${file}:${String(line)} ${ruleId}: ${description}\n`),
  });
  const diffs = changes.diffs();
  for (const { file, diff } of diffs)
    out.write(`\n${file}\n${styledDiff(diff, terminalOutputOf(out, io.env))}\n\n`);
  if (!dryRun) {
    if (diffs.length > 0 && !yes) await requireApproval(io);
    changes.write(io);
  }
  const remainingFindings = report.findings.filter(
    ({ verdict, severity }) => verdict === 'fail' && severity !== 'info',
  );
  for (const finding of remainingFindings)
    printText(out, describeRemaining(finding, !mayApply(finding)));
  const counts = `${dryRun ? 'would fix' : 'fixed'} ${String(fixed.length)}; ${String(remainingFindings.length)} left\n`;
  printResult(
    format,
    { written: !dryRun, fixed, files: diffs, left: remainingFindings },
    counts,
    io,
  );
  const exitCode = exitCodeOf(report, { failOnUnknown: false });
  if (exitCode === exitCodes.nothingChecked)
    printText(
      io.stderr,
      `castellan: nothing was checked: ${whyNoConfiguration(location.paths, report.skippedPaths)}\n`,
    );
  return exitCode;
}

/** Changes of files, which are written only at the end. */
class FileChanges {
  /** By absolute path. */
  readonly #changes = new Map<string, FileChange>();

  constructor(private readonly cwd: string) {}

  /** The files of the disk with the changes. */
  readonly fileAccess: FileAccess = {
    ...diskFiles,
    stat: (path) => {
      const change = this.#changes.get(path);
      return change === undefined
        ? diskFiles.stat(path)
        : { kind: 'file', size: change.changedText.length };
    },
    read: (path) => {
      const change = this.#changes.get(path);
      return change === undefined ? diskFiles.read(path) : Buffer.from(change.changedText);
    },
  };

  /** Changes a file, which may have been changed before. */
  add({ file, text, changedText }: FileChange): void {
    const path = resolve(this.cwd, file);
    this.#changes.set(path, { file, text: this.#changes.get(path)?.text ?? text, changedText });
  }

  /** The differences of each changed file. */
  diffs(): readonly { readonly file: string; readonly diff: ReturnType<typeof lineDiff> }[] {
    return [...this.#changes.values()].map(({ file, text, changedText }) => ({
      file,
      diff: lineDiff(text, changedText),
    }));
  }

  /**
   * Writes the changed files.
   *
   * @throws CAS7005 if one of them was edited since the check read it: none is written then.
   */
  write(io: CliIo): void {
    for (const [path, { file, text }] of this.#changes) {
      const current = readSource(path, diskFiles, file);
      if (!('source' in current) || current.source.text !== text)
        throw new CastellanError(
          'CAS7005',
          `${file} changed since it was checked: run castellan fix again; nothing was written`,
        );
    }
    for (const { file, changedText } of this.#changes.values()) changeFile(io, file, changedText);
  }
}

interface FileChange {
  /** The path as findings have it. */
  readonly file: string;
  /** The text before. */
  readonly text: string;
  readonly changedText: string;
}

/** A fix that was applied. */
interface AppliedFix {
  readonly file: string;
  readonly line: number | undefined;
  readonly ruleId: string;
  readonly description: string;
}

/**
 * Applies fixes of selected findings, checks again, and so on until there are none left.
 *
 * @returns the last check, and all applied fixes.
 */
async function applyFixes(
  changes: FileChanges,
  {
    check,
    isSelected,
    onFix,
  }: {
    readonly check: () => Promise<CheckReport>;
    readonly isSelected: (finding: Finding) => boolean;
    readonly onFix: (fix: AppliedFix) => void;
  },
): Promise<{ readonly report: CheckReport; readonly fixed: readonly AppliedFix[] }> {
  let report = await check();
  const isFixable = wasAlreadyReported(report.findings);
  const fixed: AppliedFix[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const findings = report.findings.filter((each) => isSelected(each) && isFixable(each));
    const edits = editsFor(findings, report.stacks);
    if (edits.length === 0) break;
    for (const file of new Set(edits.map((each) => each.file))) {
      const fileEdits = edits.filter((each) => each.file === file);
      const text = report.sources?.get(file)?.text ?? '';
      changes.add({ file, text, changedText: applyFileEdits(text, fileEdits) });
      for (const { finding } of fileEdits) {
        const { ruleId, location, fix: { description = '' } = {} } = finding;
        const appliedFix = { file, line: location?.line, ruleId, description };
        fixed.push(appliedFix);
        onFix(appliedFix);
      }
    }
    report = await check();
  }
  return { report, fixed };
}

/** Asks on a terminal whether to write. @throws CAS8104 if the answer is not yes. */
async function requireApproval(io: CliIo): Promise<void> {
  if (canPrompt(io) && !/^y(es)?$/i.test(await prompt('Write these changes? [y/N] ', io)))
    throw new CastellanError('CAS8104', 'nothing was written');
}

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
