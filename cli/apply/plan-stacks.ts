import { changesOutputs, type PlannedChange, plannedChanges, type TerraformPlan } from '../../stacks/engine/plan.js';
import { closeCreations } from '../../provider/server/creation-journal.js';
import type { SandboxHandle } from '../../sandbox/index.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import { localStateOf, managedResources } from '../../stacks/engine/state-file.js';
import type { Progress, Say } from './progress.js';
import type { PreparedStack, Session } from './session.js';
import { BulkTerraform, isBulk } from '../../stacks/engine/bulk-terraform.js';
import { Terraform, type TerraformOptions } from '../../stacks/engine/terraform.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';

/** What a plan does to one stack. */
export interface StackPlan {
  readonly stack: PreparedStack;
  readonly changes: readonly PlannedChange[];
  /** Nothing changes, outputs included. */
  readonly clean: boolean;
  readonly plan: TerraformPlan;
  /** Whether it is applied in bulk. */
  readonly inBulk: boolean;
}

/** What plans are made for: to be looked at or kept in a file, or to be applied at once by `up` or `down`. */
export type PlanPurpose = 'look' | 'up' | 'down';

/** Plans stacks side by side, each plan kept beside its stack for `applyPlans`. */
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
          throw session.sandbox === undefined ? error : withSeedHint(error, session.sandbox.environmentName);
        });
      },
    })),
  );
}

/** Plans a stack in bulk where many changes are expected, or where a plan shows that there are. */
async function planStack(stack: PreparedStack, session: Session, purpose: PlanPurpose, say: Say): Promise<StackPlan> {
  const extra = purpose === 'down' ? ['-destroy'] : [];
  const inBulk = async (): Promise<StackPlan> => toStackPlan(stack, await bulkOf(stack, session, say).plan(planFile, extra), true);
  const mayBeBulk = purpose !== 'look' && takesUpCreations(stack, session);
  if (mayBeBulk && isBulk(BulkTerraform.expectedChanges(stack.directory, purpose))) return inBulk();
  const planned = toStackPlan(stack, await terraformOf(stack, session, say).plan(planFile, extra));
  return mayBeBulk && isBulk(planned.changes.length) ? inBulk() : planned;
}

/** Whether the providers take up what a killed run created: the sandbox's own do. */
function takesUpCreations({ env }: PreparedStack, { sandbox }: Session): boolean {
  return sandbox !== undefined && env['TF_REATTACH_PROVIDERS'] !== undefined;
}

/** What Terraform's plan of a stack says. */
export function toStackPlan(stack: PreparedStack, plan: TerraformPlan, inBulk = false): StackPlan {
  const changes = plannedChanges(plan);
  return { stack, plan, changes, clean: changes.length === 0 && !changesOutputs(plan), inBulk };
}

/** Applies plans side by side. A destruction may change only the state, after an earlier one was killed. */
export async function applyPlans(plans: readonly StackPlan[], session: Session, progress: Progress): Promise<void> {
  const open = plans.filter(({ clean, plan }) => !clean || plan.applyable === true);
  await progress.run(open.map((each) => ({ title: `Apply ${each.stack.name}`, work: (say) => applyPlan(each, session, say) })));
}

async function applyPlan({ stack, inBulk }: StackPlan, session: Session, say: Say): Promise<void> {
  try {
    await (inBulk ? bulkOf(stack, session, say) : terraformOf(stack, session, say)).apply(planFile);
  } finally {
    const state = localStateOf(stack.directory);
    if (session.sandbox !== undefined && state !== undefined) await closeCreationsIn(state, session.sandbox);
  }
}

/** Closes in the journals of the sandbox what the state holds. */
function closeCreationsIn(state: string, { projectDir, environmentName }: SandboxHandle): Promise<void> {
  const ids = managedResources(state).flatMap(({ instances }) => instances.flatMap(({ attributes }) => attributes?.id ?? []));
  return closeCreations(sandboxPaths(projectDir, environmentName).creations, new Set(ids.map(String)));
}

/** The name of the kept plan in a stack's working directory. */
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
  const eventTypes = new Set(['apply_start', 'apply_complete', 'apply_errored', 'refresh_errored', 'state_mended']);
  return {
    program: session.terraform,
    directory: stack.directory,
    env: stack.env,
    onEvent: (event) => {
      if (eventTypes.has(event.type)) say(event['@message']);
    },
  };
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
