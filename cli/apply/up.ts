import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo } from '../command.js';
import { countDone, describeChanges } from './describe.js';
import type { ApplyOptions } from './options.js';
import type { StackPlan } from './plan-stacks.js';
import { applyPlans, planStacks } from './plan-stacks.js';
import { createProgress } from './progress.js';
import type { Session } from './session.js';
import { openSession } from './session.js';
import { wavesOf } from './waves.js';

/**
 * `castellan up`: check, synthesize, plan and apply, stack after stack in the order of their dependencies, side by side where they are
 * independent.
 *
 * @throws CAS8101 when a change would lose data and `--allow-replace` is not given.
 */
export async function up(options: ApplyOptions, io: CliIo): Promise<number> {
  if (options.target === 'azure' && !options.autoApprove)
    throw new CastellanError('CAS8102', '`castellan up --target azure` changes the cloud');
  const progress = createProgress(io);
  const session = await openSession(options, io, progress);
  const done: StackPlan[] = [];
  for (const wave of wavesOf(session.stacks)) {
    const plans = await planStacks(wave, session, progress);
    const losing = plans.filter(({ changes }) => changes.some(({ loss }) => loss !== undefined));
    if (losing.length > 0 && !options.allowReplace) throw refused(losing, done);
    await applyPlans(plans, session, progress);
    done.push(...plans);
  }
  for (const { stack, changes, clean } of done)
    io.stdout.write([`${stack.name}: ${clean ? 'no changes' : countDone(changes)}`, ...describeChanges(changes), ''].join('\n'));
  await showApps(session, options.paths, io);
  return exitCodes.clean;
}

function refused(plans: readonly StackPlan[], done: readonly StackPlan[]): CastellanError {
  const lines = plans.flatMap(({ stack, changes }) => [
    `${stack.name}:`,
    ...describeChanges(changes.filter(({ loss }) => loss !== undefined)),
  ]);
  const applied = done.filter(({ clean }) => !clean).map(({ stack }) => stack.name);
  const changed = applied.length === 0 ? 'nothing was changed' : `only ${applied.join(', ')} was changed`;
  return new CastellanError('CAS8101', `${changed}, because this would be lost\n${lines.join('\n')}`);
}

async function showApps({ sandbox }: Session, paths: readonly string[], io: CliIo): Promise<void> {
  if (sandbox === undefined) return;
  const apps = await sandbox.apps();
  for (const { name, url, state, detail, auth } of apps) {
    const note = [state, ...(auth ? ['behind sign-in'] : []), ...(detail === undefined ? [] : [detail])].join(', ');
    io.stdout.write(`  ${url ?? `${name} (no ingress)`}  ${note}\n`);
  }
  const ca = '.castellan/ca.pem';
  io.stdout.write(
    [
      `The sandbox keeps running at ${sandbox.origin} (certificate authority: ${ca}). To look further:`,
      '  eval "$(castellan sandbox env)"      for terraform, cdktf and curl in this shell',
      `  castellan status                     what runs, and where`,
      `  castellan down ${paths.join(' ')}`.padEnd(38) + ' ' + 'to remove it again; --all stops the sandbox too',
      '',
    ].join('\n'),
  );
}
