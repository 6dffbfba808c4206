import { changesOutputs, type PlannedChange, plannedChanges, type TerraformPlan } from '../../stacks/engine/plan.js';
import { withSeedHint } from './missing-person.js';
import type { Progress } from './progress.js';
import type { PreparedStack, Session } from './session.js';
import { planFile, terraformOf } from './terraform-of.js';

/** What a plan does to one stack. */
export interface StackPlan {
  readonly stack: PreparedStack;
  readonly changes: readonly PlannedChange[];
  /** Nothing changes, outputs included. */
  readonly clean: boolean;
  readonly plan: TerraformPlan;
}

/** Plans stacks side by side, each plan kept beside its stack for `applyPlans`. */
export function planStacks(
  stacks: readonly PreparedStack[],
  session: Session,
  progress: Progress,
  extra: readonly string[] = [],
): Promise<StackPlan[]> {
  return progress.run(
    stacks.map((stack) => ({
      title: `Plan ${stack.name}`,
      work: async (say) => {
        const terraform = terraformOf(stack, session, say);
        await terraform.init();
        const plan = await terraform.plan(planFile, extra).catch((error: unknown) => {
          throw session.sandbox === undefined ? error : withSeedHint(error, session.sandbox.environmentName);
        });
        const changes = plannedChanges(plan);
        return { stack, plan, changes, clean: changes.length === 0 && !changesOutputs(plan) };
      },
    })),
  );
}

/** Applies what was planned, side by side. */
export async function applyPlans(plans: readonly StackPlan[], session: Session, progress: Progress): Promise<void> {
  const open = plans.filter(({ clean }) => !clean);
  await progress.run(
    open.map(({ stack }) => ({ title: `Apply ${stack.name}`, work: (say) => terraformOf(stack, session, say).apply(planFile) })),
  );
}
