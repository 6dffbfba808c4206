import { changesOutputs, type PlannedChange, plannedChanges, type TerraformPlan } from '../../stacks/engine/plan.js';
import type { Progress, Say } from './progress.js';
import type { PreparedStack, Session } from './session.js';
import { Terraform } from '../../stacks/engine/terraform.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';

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
        return toStackPlan(stack, plan);
      },
    })),
  );
}

/** What Terraform's plan of a stack says. */
export function toStackPlan(stack: PreparedStack, plan: TerraformPlan): StackPlan {
  const changes = plannedChanges(plan);
  return { stack, plan, changes, clean: changes.length === 0 && !changesOutputs(plan) };
}

/** Applies plans side by side. A destruction may change only the state, after an earlier one was killed. */
export async function applyPlans(plans: readonly StackPlan[], session: Session, progress: Progress): Promise<void> {
  const open = plans.filter(({ clean, plan }) => !clean || plan.applyable === true);
  await progress.run(
    open.map(({ stack }) => ({ title: `Apply ${stack.name}`, work: (say) => terraformOf(stack, session, say).apply(planFile) })),
  );
}

/** The name of the kept plan in a stack's working directory. */
export const planFile = 'castellan.tfplan';

/** Runs the Terraform of one stack and reports its progress line by line. */
export function terraformOf(stack: PreparedStack, session: Session, say: Say): Terraform {
  const eventTypes = new Set(['apply_start', 'apply_complete', 'apply_errored', 'refresh_errored', 'state_mended']);
  return new Terraform({
    program: session.terraform,
    directory: stack.directory,
    env: stack.env,
    onEvent: (event) => {
      if (eventTypes.has(event.type)) say(event['@message']);
    },
  });
}

/** Terraform's failure to find a person in the sandbox, with how to add one; any other error as it is. */
export function withSeedHint(error: unknown, environment: string | undefined): unknown {
  if (!isCastellanError(error)) return error;
  const names = [...error.message.matchAll(/User with UPN "([^"]+)" was not found/g)].map(([, name]) => name ?? '');
  if (names.length === 0) return error;
  const flag = environment === undefined ? '' : ` -e ${environment}`;
  const commands = [...new Set(names)].map((name) => `  castellan sandbox seed${flag} --person ${name}`);
  return new CastellanError(
    error.code,
    `${error.message}\nThe sandbox's directory lacks ${names.join(', ')}. Add them to seed.yaml, or run:\n${commands.join('\n')}`,
    {
      cause: error,
    },
  );
}
