import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { runCheck } from '../../policies/check/run-check.js';
import type { LoadedStack } from '../../policies/index.js';
import { placeOf } from '../../policies/reporters/report.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import type { Say } from './progress.js';

/**
 * Loads and checks configurations as `castellan check` does, by the policy, suppressions and baseline that stand beside them; warnings are
 * said, errors stop.
 *
 * @throws CAS8103 with the errors, each with its place; CAS2010 when there is no configuration.
 */
export async function loadChecked({ paths, environment }: ApplyOptions, io: CliIo, say: Say): Promise<readonly LoadedStack[]> {
  const { stacks, findings } = await runCheck({ paths, environment, recursive: false, cwd: io.cwd, env: io.env });
  const open = findings.filter(({ verdict }) => verdict === 'fail');
  const errors = open.filter(({ severity }) => severity === 'error');
  for (const finding of open.filter(({ severity }) => severity === 'warning')) say(`warning: ${describe(finding)}`);
  if (errors.length > 0)
    throw new CastellanError('CAS8103', `\n${errors.map((finding) => `  ${describe(finding)}`).join('\n')}`, {
      details: { findings: errors },
    });
  if (stacks.length === 0) throw new CastellanError('CAS2010', `there is no castellan.yaml in ${paths.join(', ')}`);
  return stacks;
}

function describe(finding: Finding): string {
  return `${placeOf(finding)}: ${finding.message} (${finding.ruleId})`;
}
