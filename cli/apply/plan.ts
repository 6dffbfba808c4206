import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo } from '../command.js';
import { countPlanned, describeChanges } from './describe.js';
import type { ApplyOptions } from './options.js';
import { planStacks } from './plan-stacks.js';
import type { StackPlan } from './plan-stacks.js';
import { createProgress } from './progress.js';
import type { Session } from './session.js';
import { openSession } from './session.js';
import { planFile, terraformOf } from './terraform-of.js';

/** How `castellan plan` prints: text for people, or JSON for programs. */
export type PlanFormat = 'text' | 'json';

/** `castellan plan`: what `up` would change, with what would be lost. Changes nothing but the sandbox's being there. */
export async function plan(options: ApplyOptions, format: PlanFormat, io: CliIo): Promise<number> {
  const progress = createProgress(io);
  const session = await openSession(options, io, progress);
  const plans = await planStacks(session.stacks, session, progress);
  if (format === 'json') io.stdout.write(`${JSON.stringify({ version: 1, stacks: plans.map(asData) }, null, 2)}\n`);
  else for (const each of plans) io.stdout.write(await describe(each, session));
  return exitCodes.clean;
}

function asData({ stack, changes, clean }: StackPlan): object {
  return { stack: stack.name, clean, changes };
}

async function describe({ stack, changes, clean }: StackPlan, session: Session): Promise<string> {
  if (clean) return `${stack.name}: no changes\n`;
  const words = await terraformOf(stack, session, () => undefined).describePlan(planFile);
  return [words.trim(), '', `${stack.name}: ${countPlanned(changes)}`, ...describeChanges(changes), ''].join('\n');
}
