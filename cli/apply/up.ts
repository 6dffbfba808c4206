import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo } from '../command.js';
import { showApps } from './apps.js';
import { approve } from './approval.js';
import { countDone, describeChanges } from './describe.js';
import type { ApplyOptions } from './options.js';
import { openPlanFile } from './plan-file.js';
import type { StackPlan } from './plan-stacks.js';
import { applyPlans, planStacks } from './plan-stacks.js';
import type { Progress } from './progress.js';
import { createProgress } from './progress.js';
import type { Session } from './session.js';
import { openSession } from './open-session.js';
import { wavesOf } from './waves.js';

/**
 * `castellan up`: check, synthesize, plan and apply, stack after stack in the order of their dependencies, side by side where they are
 * independent. With a plan file, exactly that plan is applied.
 *
 * @returns 1 when an app of these stacks does not run.
 * @throws CAS8101 when a change would lose data and `--allow-replace` is not given; CAS8102, CAS8104 without approval.
 */
export async function up(options: ApplyOptions, io: CliIo): Promise<number> {
  const progress = createProgress(io);
  const done: StackPlan[] = [];
  if (options.plan !== undefined) {
    const { session, plans, planned } = await openPlanFile(options.plan, options, io, progress);
    // a plan of several stacks is applied in the order of their dependencies
    for (const wave of wavesOf(plans.map((plan) => ({ ...plan, name: plan.stack.name, dependsOn: plan.stack.dependsOn }))))
      await applyWave(wave, done, session, planned, io, progress);
    return finish(session, done, planned, io);
  }
  const session = await openSession(options, io, progress, 'up');
  for (const wave of wavesOf(session.stacks))
    await applyWave(await planStacks(wave, session, progress), done, session, options, io, progress);
  return finish(session, done, options, io);
}

async function applyWave(
  plans: readonly StackPlan[],
  done: StackPlan[],
  session: Session,
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
): Promise<void> {
  const losing = plans.filter(({ changes }) => changes.some(({ loss }) => loss !== undefined));
  if (losing.length > 0 && !options.allowReplace) throw refused(losing, done);
  await approve(plans, options, { command: 'up', isProtected: session.isProtected }, io);
  await applyPlans(plans, session, progress);
  done.push(...plans);
}

async function finish(session: Session, done: readonly StackPlan[], options: ApplyOptions, io: CliIo): Promise<number> {
  for (const { stack, changes, clean } of done)
    io.stdout.write([`${stack.name}: ${clean ? 'no changes' : countDone(changes)}`, ...describeChanges(changes), ''].join('\n'));
  const apps = await showApps(session, options, io);
  return apps === 'running' ? exitCodes.clean : exitCodes.findings;
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
