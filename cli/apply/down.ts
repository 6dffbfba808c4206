import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo } from '../command.js';
import { countDone } from './describe.js';
import { loadChecked } from './load-checked.js';
import type { ApplyOptions } from './options.js';
import { applyPlans, planStacks } from './plan-stacks.js';
import { createProgress } from './progress.js';
import { openSession } from './session.js';
import { wavesOf } from './waves.js';

/**
 * `castellan down`: destroys stacks, those that others depend on last.
 *
 * @param all whether the sandbox is stopped, too.
 */
export async function down(options: ApplyOptions, all: 'stack' | 'stack and sandbox', io: CliIo): Promise<number> {
  if (options.target === 'azure' && !options.autoApprove)
    throw new CastellanError('CAS8102', '`castellan down --target azure` destroys in the cloud');
  const progress = createProgress(io);
  if (options.target === 'sandbox' && !existsSync(join(io.cwd, '.castellan'))) {
    for (const { config } of await loadChecked(options, io, () => undefined)) io.stdout.write(`${config.stack}: nothing to delete\n`);
    io.stderr.write(`No sandbox was ever started in ${io.cwd}: \`down\` belongs in the folder where \`up\` ran.\n`);
    return exitCodes.clean;
  }
  const session = await openSession(options, io, progress);
  for (const wave of wavesOf(session.stacks).reverse()) {
    const plans = await planStacks(wave, session, progress, ['-destroy']);
    await applyPlans(plans, session, progress);
    for (const { stack, changes } of plans)
      io.stdout.write(`${stack.name}: ${changes.length === 0 ? 'nothing to delete' : countDone(changes)}\n`);
  }
  if (all === 'stack and sandbox' && session.sandbox !== undefined) {
    const { stopSandbox } = await import('../../sandbox/index.js');
    await stopSandbox(io.cwd);
    io.stdout.write('the sandbox is stopped\n');
  }
  return exitCodes.clean;
}
