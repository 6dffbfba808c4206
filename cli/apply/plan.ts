import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo } from '../command.js';
import { countPlanned, describeChanges } from './describe.js';
import type { ApplyOptions } from './options.js';
import { writePlanFile } from './plan-file.js';
import { planStacks } from './plan-stacks.js';
import type { StackPlan } from './plan-stacks.js';
import { createProgress } from './progress.js';
import type { Session } from './session.js';
import { openSession } from './open-session.js';
import { planFile, terraformOf } from './terraform-of.js';

/** How `castellan plan` prints: text for people, or JSON for programs. */
export type PlanFormat = 'text' | 'json';

/**
 * `castellan plan`: what `up` would change, with what would be lost. Changes nothing, but starts the sandbox where it doesn't run.
 *
 * @param out the file to keep the plan in, for `castellan up --plan`.
 */
export async function plan(options: ApplyOptions, { format, out }: { format: PlanFormat; out?: string }, io: CliIo): Promise<number> {
  const progress = createProgress(io);
  const session = await openSession(options, io, progress, 'plan');
  const plans = await planStacks(session.stacks, session, progress);
  if (out !== undefined) {
    writePlanFile(out, plans, session, options, io);
    io.stderr.write(`${out}: apply it with \`castellan up --plan ${out}\`\n`);
  }
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
