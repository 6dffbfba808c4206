import {
  changesOutputs,
  type PlannedChange,
  plannedChanges,
  type TerraformPlan,
} from '../../stacks/engine/plan.js';
import { closeCreations } from '../../provider/server/creation-journal.js';
import type { SandboxHandle } from '../../sandbox/index.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import { localStateOf, managedResources } from '../../stacks/engine/state-file.js';
import type { Progress, Say } from './progress.js';
import type { PreparedStack, Session } from './session.js';
import { BulkTerraform, isBulk } from '../../stacks/engine/bulk-terraform.js';
import { Terraform, type TerraformOptions } from '../../stacks/engine/terraform.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';

/** The planned changes of a stack. */
export interface StackPlan {
  readonly stack: PreparedStack;
  readonly changes: readonly PlannedChange[];
  /** No changes, including outputs. */
  readonly clean: boolean;
  readonly plan: TerraformPlan;
  /** Whether it is applied in bulk. */
  readonly inBulk: boolean;
}

/** The use of the plans: to be shown or kept in a file, or to be applied by `up` or `down`. */
export type PlanPurpose = 'look' | 'up' | 'down';

/** Plans stacks in parallel, with each plan beside its stack for `applyPlans`. */
export function planStacks(
  stacks: readonly PreparedStack[],
  session: Session,
  progress: Progress,
  purpose: PlanPurpose = 'look',
): Promise<StackPlan[]> {
  return progress.run(
    stacks.map((stack) => ({
      title: `Plan ${stack.name}`,
      work: async (say) => {
        await terraformOf(stack, session, say).init();
        return planStack(stack, session, purpose, say).catch((error: unknown) => {
          throw session.sandbox === undefined
            ? error
            : withSeedHint(error, session.sandbox.environmentName);
        });
      },
    })),
  );
}

/** Plans a stack in bulk if many changes are expected, or if a plan shows that there are. */
async function planStack(
  stack: PreparedStack,
  session: Session,
  purpose: PlanPurpose,
  say: Say,
): Promise<StackPlan> {
  const extra = purpose === 'down' ? ['-destroy'] : [];
  const inBulk = async (): Promise<StackPlan> =>
    toStackPlan(stack, await bulkOf(stack, session, say).plan(planFile, extra), true);
  const mayBeBulk = purpose !== 'look' && takesUpCreations(stack, session);
  if (mayBeBulk && isBulk(BulkTerraform.expectedChanges(stack.directory, purpose))) return inBulk();
  const planned = toStackPlan(stack, await terraformOf(stack, session, say).plan(planFile, extra));
  return mayBeBulk && isBulk(planned.changes.length) ? inBulk() : planned;
}

/** Whether the providers adopt objects created by a killed run, as the sandbox's own do. */
function takesUpCreations({ env }: PreparedStack, { sandbox }: Session): boolean {
  return sandbox !== undefined && env['TF_REATTACH_PROVIDERS'] !== undefined;
}

/** The content of a stack's Terraform plan. */
export function toStackPlan(stack: PreparedStack, plan: TerraformPlan, inBulk = false): StackPlan {
  const changes = plannedChanges(plan);
  return { stack, plan, changes, clean: changes.length === 0 && !changesOutputs(plan), inBulk };
}

/**
 * Applies plans in parallel. A destruction may change only the state, after an earlier one was
 * killed.
 */
export async function applyPlans(
  plans: readonly StackPlan[],
  session: Session,
  progress: Progress,
): Promise<void> {
  const open = plans.filter(({ clean, plan }) => !clean || plan.applyable === true);
  await progress.run(
    open.map((each) => ({
      title: `Apply ${each.stack.name}`,
      work: (say) => applyPlan(each, session, say),
    })),
  );
}

async function applyPlan({ stack, inBulk }: StackPlan, session: Session, say: Say): Promise<void> {
  try {
    await (inBulk ? bulkOf(stack, session, say) : terraformOf(stack, session, say)).apply(planFile);
  } finally {
    const state = localStateOf(stack.directory);
    if (session.sandbox !== undefined && state !== undefined)
      await closeCreationsIn(state, session.sandbox);
  }
}

/** Closes the sandbox's journal entries whose objects are in the state. */
function closeCreationsIn(
  state: string,
  { projectDir, environmentName }: SandboxHandle,
): Promise<void> {
  const ids = managedResources(state).flatMap(({ instances }) =>
    instances.flatMap(({ attributes }) => attributes?.id ?? []),
  );
  return closeCreations(
    sandboxPaths(projectDir, environmentName).creations,
    new Set(ids.map(String)),
  );
}

/** The file name of a plan in a stack's working directory. */
export const planFile = 'castellan.tfplan';

/** Runs the Terraform of one stack and reports its progress line by line. */
export function terraformOf(stack: PreparedStack, session: Session, say: Say): Terraform {
  return new Terraform(terraformOptions(stack, session, say));
}

/** Runs the Terraform of one stack in bulk. */
function bulkOf(stack: PreparedStack, session: Session, say: Say): BulkTerraform {
  return new BulkTerraform(terraformOptions(stack, session, say));
}

function terraformOptions(stack: PreparedStack, session: Session, say: Say): TerraformOptions {
  const eventTypes = new Set([
    'apply_start',
    'apply_complete',
    'apply_errored',
    'refresh_errored',
    'state_mended',
  ]);
  return {
    program: session.terraform,
    directory: stack.directory,
    env: stack.env,
    onEvent: (event) => {
      if (eventTypes.has(event.type)) say(event['@message']);
    },
  };
}

/**
 * Adds advice to Terraform's failure to find a person in the sandbox; other errors are unchanged.
 */
export function withSeedHint(error: unknown, environment: string | undefined): unknown {
  if (!isCastellanError(error)) return error;
  const names = [...error.message.matchAll(/User with UPN "([^"]+)" was not found/g)].map(
    ([, name]) => name ?? '',
  );
  if (names.length === 0) return error;
  const flag = environment === undefined ? '' : ` -e ${environment}`;
  const commands = [...new Set(names)].map(
    (name) => `  castellan sandbox seed${flag} --person ${name}`,
  );
  return new CastellanError(
    error.code,
    `${error.message}\nThe sandbox's directory lacks ${names.join(', ')}. Add them to seed.yaml, or run:\n${commands.join('\n')}`,
    {
      cause: error,
    },
  );
}
