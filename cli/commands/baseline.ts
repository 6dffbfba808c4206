import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { diskFiles } from '../../core/source/file-access.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CheckReport } from '../../policies/check/run-check.js';
import { checkEnvironments } from '../../policies/check/check-environments.js';
import {
  type Baseline,
  BaselineEntries,
  baselineOf,
  wasNotChecked,
} from '../../policies/check/policy/baseline.js';
import {
  baselinePath,
  baselineText,
  withPathsFromCurrentFolder,
  parseBaseline,
} from '../../policies/check/policy/read-baseline.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { changeFile } from '../files.js';
import { type InputFlags, addInputOptions, checkOptionsOf } from './check/inputs.js';

interface BaselineFlags extends InputFlags, FormatFlags {
  readonly out?: string;
}

/**
 * `castellan baseline write|prune`: accepts the current findings, and removes entries of findings
 * that no longer exist.
 */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('baseline')
    .description('Accept the current findings, so that only new ones fail.');
  const addSubcommand = (
    name: string,
    description: string,
    action: (paths: readonly string[], flags: BaselineFlags) => Promise<number>,
  ): Command =>
    addFormat(
      addInputOptions(
        command
          .command(name)
          .description(description)
          .argument('[paths...]', 'files and folders (default: this folder)')
          .option('-o, --out <file>', 'the baseline (default: the one that check reads)'),
      ),
    ).action(async (paths: string[], flags: BaselineFlags) => done(await action(paths, flags)));
  addSubcommand(
    'write',
    'Write the baseline: every finding that would fail the check.',
    (paths, flags) => writeBaselines(paths, flags, io),
  );
  addSubcommand('prune', 'Remove the entries whose findings no longer exist.', (paths, flags) =>
    pruneBaselines(paths, flags, io),
  );
};

async function writeBaselines(
  paths: readonly string[],
  flags: BaselineFlags,
  io: CliIo,
): Promise<number> {
  const printer = createPrinter(flags, io);
  for (const { report, file, existing } of await checkWithBaseline(paths, flags, io)) {
    if (report.stacks.length === 0 && report.resourceCount === 0) {
      throw new CastellanError('CAS2010', 'nothing was checked, and nothing is written');
    }
    const entries = entriesOf(report, io);
    const current = new BaselineEntries(entries);
    const keptEntries = (existing?.findings ?? []).filter(
      (entry) => wasNotCheckedIn(entry, report, io) && current.find(entry) === undefined,
    );
    saveBaseline(file, [...entries, ...keptEntries], io);
    const keptNote =
      keptEntries.length === 0 ? '' : `, ${String(keptEntries.length)} of them kept from before`;
    const count = entries.length + keptEntries.length;
    printer.add(
      { file, findings: count, kept: keptEntries.length },
      `${file}: ${String(count)} ${count === 1 ? 'finding' : 'findings'}${keptNote}\n`,
    );
  }
  printer.end();
  return exitCodes.clean;
}

async function pruneBaselines(
  paths: readonly string[],
  flags: BaselineFlags,
  io: CliIo,
): Promise<number> {
  const printer = createPrinter(flags, io);
  const result = await checkWithBaseline(paths, flags, io);
  const [first] = result;
  if (first !== undefined && result.every(({ existing }) => existing === undefined))
    throw new CastellanError(
      'CAS7002',
      `the baseline ${first.file} does not exist; there is nothing to prune`,
    );
  for (const { report, file, existing } of result) {
    if (existing === undefined) continue;
    const entries = new BaselineEntries(existing.findings);
    const used = new Set(entriesOf(report, io).map((finding) => entries.find(finding)));
    const remaining = existing.findings.filter(
      (entry) => used.has(entry) || wasNotCheckedIn(entry, report, io),
    );
    saveBaseline(file, remaining, io);
    const pruned = existing.findings.length - remaining.length;
    printer.add(
      { file, findings: remaining.length, pruned },
      `${file}: ${String(pruned)} pruned, ${String(remaining.length)} left\n`,
    );
  }
  printer.end();
  return exitCodes.clean;
}

/** Prints each baseline while it is written, or all of them as one JSON document. */
function createPrinter(
  flags: BaselineFlags,
  io: CliIo,
): { add(data: object, text: string): void; end(): void } {
  if (formatOf(flags) === 'text')
    return { add: (_, text) => printText(io.stdout, text), end: () => undefined };
  const baselines: object[] = [];
  return {
    add: (data) => void baselines.push(data),
    end: () => printResult('json', { baselines }, '', io),
  };
}

interface CheckResult {
  readonly report: CheckReport;
  /** The path of the baseline. */
  readonly file: string;
  /** The baseline as it is; undefined where there is none yet. */
  readonly existing: Baseline | undefined;
}

/** The present findings and the baseline, for each environment. */
async function checkWithBaseline(
  paths: readonly string[],
  flags: BaselineFlags,
  io: CliIo,
): Promise<readonly CheckResult[]> {
  const reports = await checkEnvironments({
    ...(await checkOptionsOf(paths, flags, io)),
    baseline: 'none',
  });
  if (flags.out !== undefined && reports.length > 1)
    throw new CastellanError(
      'CAS8001',
      '--out names one file, but each environment has a baseline of its own: name one with -e',
    );
  const failure = reports
    .flatMap(({ findings }) => findings)
    .find(({ ruleId }) => ruleId.startsWith('config-'));
  if (failure !== undefined) {
    const { file = '', line = 1, column = 1 } = failure.location ?? {};
    const place = `${file}:${String(line)}:${String(column)}`;
    throw new CastellanError(
      'CAS7002',
      `${place}: ${failure.message}; correct that first: what else is wrong can't be known before`,
    );
  }
  return reports.map((report) => {
    const { environment, policy } = report;
    const file =
      flags.out ??
      baselinePath({ policyFile: policy.file, declaredFile: policy.config.baseline, environment });
    return { report, file, existing: readBaseline(file, io) };
  });
}

function readBaseline(file: string, io: CliIo): Baseline | undefined {
  if (!existsSync(resolve(io.cwd, file))) return undefined;
  try {
    const baseline = parseBaseline(readFileSync(resolve(io.cwd, file), 'utf8'));
    return withPathsFromCurrentFolder(baseline, file, { cwd: io.cwd, files: diskFiles });
  } catch (cause) {
    throw new CastellanError(
      'CAS7002',
      `the baseline ${file} can't be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** The entries of the present findings; a configuration may be given by an absolute path. */
function entriesOf({ unsuppressed }: CheckReport, io: CliIo): Baseline['findings'] {
  return baselineOf(unsuppressed).findings.map((entry) => ({
    ...entry,
    file: entry.file === '' ? '' : relativeToCwd(io, entry.file),
  }));
}

function relativeToCwd({ cwd }: CliIo, file: string): string {
  return relative(cwd, resolve(cwd, file));
}

/** Whether the check did not judge an entry: its file or its rule was not part of the check. */
function wasNotCheckedIn(
  entry: Baseline['findings'][number],
  { sources, ruleHadInput }: CheckReport,
  io: CliIo,
): boolean {
  const checkedFiles = new Set([...(sources?.keys() ?? [])].map((file) => relativeToCwd(io, file)));
  return wasNotChecked(entry, {
    checkedFiles,
    ruleHadInput,
    exists: (file) => existsSync(resolve(io.cwd, file)),
  });
}

function saveBaseline(file: string, findings: Baseline['findings'], io: CliIo): void {
  changeFile(io, file, baselineText(findings, file, io.cwd));
}
