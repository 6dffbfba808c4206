import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes } from '../../core/findings/exit-code.js';
import { runCheck } from '../../policies/engine/run-check.js';
import type { Baseline } from '../../policies/policy/baseline.js';
import { baselineName, baselineOf } from '../../policies/policy/baseline.js';
import type { RegisterCommand } from '../command.js';

/** `castellan baseline write|prune`: accepts what is there now, and lets go of what is gone. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program.command('baseline').description('Accept what is there now, so that only new findings fail.');
  const check = (paths: readonly string[], baseline: string) =>
    runCheck({ paths: paths.length === 0 ? ['.'] : paths, recursive: true, cwd: io.cwd, env: io.env, baseline });
  const save = (file: string, baseline: Baseline): void =>
    writeFileSync(resolve(io.cwd, file), `${JSON.stringify(baseline, undefined, 2)}\n`);

  command
    .command('write')
    .description('Write the baseline: every finding that would fail the check.')
    .argument('[paths...]', 'files and folders (default: this folder)')
    .option('-o, --out <file>', 'the baseline', baselineName)
    .action(async (paths: string[], { out }: { readonly out: string }) => {
      const report = await check(paths, 'none');
      const baseline = baselineOf(report.unbaselined);
      if (report.stacks.length === 0) return done(exitCodes.nothingChecked);
      save(out, baseline);
      io.stdout.write(`${out}: ${String(baseline.findings.length)} findings\n`);
      done(exitCodes.clean);
    });

  command
    .command('prune')
    .description('Take out of the baseline what is gone.')
    .argument('[paths...]', 'files and folders (default: this folder)')
    .option('-o, --out <file>', 'the baseline', baselineName)
    .action(async (paths: string[], { out }: { readonly out: string }) => {
      const report = await check(paths, 'none');
      const before = JSON.parse(readFileSync(resolve(io.cwd, out), 'utf8')) as Baseline;
      const there = new Set(baselineOf(report.unbaselined).findings.map(({ fingerprint, file }) => `${fingerprint} ${file}`));
      const kept = before.findings.filter(
        ({ fingerprint, file }) => there.has(`${fingerprint} ${file}`) || report.sources?.has(file) !== true,
      );
      save(out, { version: 1, findings: kept });
      io.stdout.write(`${out}: ${String(before.findings.length - kept.length)} pruned, ${String(kept.length)} left\n`);
      done(exitCodes.clean);
    });
};
