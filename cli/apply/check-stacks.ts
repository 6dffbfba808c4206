import { CastellanError } from '../../core/errors/castellan-error.js';
import type { LoadedStack } from '../../policies/index.js';
import type { CliIo } from '../command.js';
import { requireApprovable } from './approval.js';
import { reportSkippedPaths } from '../skipped-paths.js';
import type { ApplyOptions } from './options.js';
import { type Progress, type PrintLine, runTask } from './progress.js';
import type { Finding } from '../../core/findings/finding.js';
import { nearest } from '../../core/text/nearest.js';
import { authCloudLayer } from '../../policies/rules/declaration/auth-cloud-layer.js';
import { checkEnvironment } from '../../policies/check/check-environments.js';
import { originalEnvironment } from '../../stacks/original-environment.js';
import { stacksOfEnvironment } from '../../stacks/stacks-of-environment.js';
import { printText } from '../format.js';
import { placeText } from '../../policies/reporters/report.js';

/**
 * Loads and checks the stacks, and refuses changes that lack an approval. Writes nothing.
 *
 * @throws CAS8102, CAS8104 without approval, and as {@link loadCheckedStacks} does.
 */
export async function checkStacks(
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
  command: 'plan' | 'up' | 'down',
): Promise<readonly LoadedStack[]> {
  const loadedStacks = await runTask(progress, 'Check', (printLine) =>
    loadCheckedStacks(options, io, printLine),
  );
  if (command !== 'plan')
    requireApprovable(options, { command, isProtected: hasProtectedStack(loadedStacks) }, io);
  return loadedStacks;
}

/**
 * Loads and checks configurations like `castellan check`, with their policy, suppressions and
 * baseline; prints warnings and stops at errors. Leaves out what is not part of the environment.
 *
 * @throws CAS8103 with the errors and their locations; CAS2010 when there is no configuration.
 */
async function loadCheckedStacks(
  options: ApplyOptions,
  io: CliIo,
  printLine: PrintLine,
): Promise<readonly LoadedStack[]> {
  const { paths, environment, target, isSelected } = options;
  const original = await originalEnvironment({ paths, environment, target, cwd: io.cwd });
  const { stacks, findings, skippedPaths, notes } = await checkEnvironment({
    paths,
    environment: original ?? environment,
    isSelected,
    cwd: io.cwd,
    env: io.env,
  });
  reportSkippedPaths(skippedPaths, io);
  const announce = (line: string): void => printText(io.stderr, `${line}\n`);
  for (const note of notes) announce(note);
  // settings that only our own sign-in layer enforces do not protect the app in the cloud
  const failedFindings = findings.flatMap((finding) => {
    if (finding.verdict !== 'fail') return [];
    if (finding.ruleId !== authCloudLayer.id) return [finding];
    return target === 'azure' ? [{ ...finding, severity: 'error' as const }] : [];
  });
  const errors = failedFindings.filter(({ severity }) => severity === 'error');
  for (const finding of failedFindings.filter(({ severity }) => severity === 'warning'))
    printLine(`warning: ${describeFinding(finding)}`);
  if (errors.length > 0)
    throw new CastellanError(
      'CAS8103',
      `\n${errors.map((finding) => `  ${describeFinding(finding)}`).join('\n')}`,
      {
        details: { findings: errors },
      },
    );
  if (stacks.length === 0)
    throw new CastellanError('CAS2010', `there is no castellan.yaml in ${paths.join(', ')}`);
  return stacksOfEnvironment(stacks, original ?? environment, {
    cwd: io.cwd,
    announce,
    copy: original && environment,
  });
}

/**
 * Whether one of the stacks says `protected: true`, or what may mean that: another value than
 * `false`, or a misspelt name. `down` takes configurations with mistakes.
 */
export function hasProtectedStack(stacks: readonly LoadedStack[]): boolean {
  return stacks.some(({ config }) =>
    Object.entries((config as object | null) ?? {}).some(
      ([name, value]) => value !== false && nearest(name, ['protected']) !== undefined,
    ),
  );
}

function describeFinding(finding: Finding): string {
  return `${placeText(finding)}: ${finding.message} (${finding.ruleId})`;
}
