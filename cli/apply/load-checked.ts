import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { checkStack, loadConfig } from '../../policies/index.js';
import type { LoadedStack } from '../../policies/index.js';
import { placeOf } from '../../policies/reporters/report.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import type { Say } from './progress.js';

/**
 * Loads and checks configurations as `castellan check` does; warnings are said, errors stop.
 *
 * @throws CAS8103 with the errors, each with its place.
 */
export async function loadChecked({ paths, environment }: ApplyOptions, io: CliIo, say: Say): Promise<readonly LoadedStack[]> {
  const { stacks, findings } = await loadConfig({ paths, cwd: io.cwd, environment });
  const all = [...findings, ...(hasErrors(findings) ? [] : stacks.flatMap((stack) => checkStack(stack, { env: io.env })))];
  const open = all.filter(({ verdict }) => verdict === 'fail');
  for (const finding of open.filter(({ severity }) => severity === 'warning')) say(`warning: ${describe(finding)}`);
  if (!hasErrors(open)) return stacks;
  const errors = open.filter(({ severity }) => severity === 'error');
  throw new CastellanError('CAS8103', `\n${errors.map((finding) => `  ${describe(finding)}`).join('\n')}`, {
    details: { findings: errors },
  });
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict, severity }) => verdict === 'fail' && severity === 'error');
}

function describe(finding: Finding): string {
  return `${placeOf(finding)}: ${finding.message} (${finding.ruleId})`;
}
