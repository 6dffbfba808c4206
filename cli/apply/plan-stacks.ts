import {
  changesOutputs,
  type MovedAddress,
  type PlannedChange,
  plannedChanges,
  plannedMoves,
  type TerraformPlan,
} from '../../stacks/terraform/plan.js';
import { closeCreations } from '../../provider/server/creation-journal.js';
import type { SandboxHandle } from '../../sandbox/index.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import {
  isEncrypted,
  localStateFileOf,
  managedResourcesIn,
  readManagedResources,
  type ResourceInState,
} from '../../stacks/terraform/state-file.js';
import type { Progress, PrintLine } from './progress.js';
import type { RunnableStack, ApplySession } from './session.js';
import { requireSupportedFeatures } from '../../stacks/terraform/engine-features.js';
import { Terraform } from '../../stacks/terraform/terraform.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';

/** The planned changes of a stack. */
export interface StackPlan {
  readonly stack: RunnableStack;
  readonly changes: readonly PlannedChange[];
  /** Whether there are no changes, neither of resources nor of outputs. */
  readonly isClean: boolean;
  /** The resources that have another address in the state from now on. */
  readonly movedAddresses: readonly MovedAddress[];
  /** The whole plan, as Terraform shows it in JSON. */
  readonly plan: TerraformPlan;
}

/** Terraform's planning modes: towards the configuration, or towards an empty state. */
export type PlanMode = 'normal' | 'destroy';

/** Plans stacks in parallel, with each plan beside its stack for `applyPlans`. */
export function planStacks(
  stacks: readonly RunnableStack[],
  session: ApplySession,
  progress: Progress,
  mode: PlanMode = 'normal',
): Promise<StackPlan[]> {
  return progress.run(
    stacks.map((stack) => ({
      title: `Plan ${stack.name}`,
      work: async (printLine) => {
        await requireSupportedFeatures(stack, session.terraformProgram);
        await terraformOf(stack, session, printLine).init();
        return planStack(stack, session, mode, printLine).catch((error: unknown) => {
          throw session.sandbox === undefined
            ? error
            : withSeedHint(error, session.sandbox.environmentName);
        });
      },
    })),
  );
}

async function planStack(
  stack: RunnableStack,
  session: ApplySession,
  mode: PlanMode,
  printLine: PrintLine,
): Promise<StackPlan> {
  const modeOptions = mode === 'destroy' ? ['-destroy'] : [];
  return toStackPlan(
    stack,
    await terraformOf(stack, session, printLine).plan(planFileName, modeOptions),
  );
}

/** The content of a stack's Terraform plan. */
export function toStackPlan(stack: RunnableStack, plan: TerraformPlan): StackPlan {
  const changes = plannedChanges(plan);
  const isClean = changes.length === 0 && !changesOutputs(plan);
  return { stack, plan, changes, isClean, movedAddresses: plannedMoves(plan) };
}

/**
 * Applies plans in parallel. One may change only the state: other addresses, or a destruction after
 * an earlier one was killed.
 */
export async function applyPlans(
  plans: readonly StackPlan[],
  session: ApplySession,
  progress: Progress,
): Promise<void> {
  const plansToApply = plans.filter(
    ({ isClean, movedAddresses, plan }) =>
      !isClean || movedAddresses.length > 0 || changesState(plan),
  );
  await progress.run(
    plansToApply.map((each) => ({
      title: `Apply ${each.stack.name}`,
      work: (printLine) =>
        applyPlan(
          each,
          session,
          progress.isTerminal ? countingPrinter(each, printLine) : printLine,
        ),
    })),
  );
}

/**
 * Whether a plan changes at least the state. OpenTofu does not say whether a plan is applyable:
 * there a plan after which nothing exists is applied, so that the state becomes empty, too.
 */
const changesState = ({ applyable, planned_values: planned }: TerraformPlan): boolean =>
  applyable ?? (planned !== undefined && Object.keys(planned.root_module).length === 0);

/** The most changes that are listed on a terminal; of more, only their number is printed. */
const maxListedChanges = 20;

/** Prints, in place of a line for each of many resources, how many are done, and every failure. */
function countingPrinter({ changes }: StackPlan, printLine: PrintLine): PrintLine {
  // what is replaced is destroyed and created
  const total = changes.reduce((sum, { action }) => sum + (action === 'replace' ? 2 : 1), 0);
  if (total <= maxListedChanges) return printLine;
  const step = Math.ceil(total / 10);
  let doneCount = 0;
  printLine(`${String(total)} resources`);
  return (line) => {
    if (/: (Creation|Modifications|Destruction) complete/.test(line)) {
      doneCount++;
      if (doneCount % step === 0 || doneCount === total)
        printLine(`${String(doneCount)} of ${String(total)}`);
    } else if (!/: (Creating|Modifying|Destroying|Still )/.test(line)) printLine(line);
  };
}

async function applyPlan(
  { stack }: StackPlan,
  session: ApplySession,
  printLine: PrintLine,
): Promise<void> {
  const terraform = terraformOf(stack, session, printLine);
  try {
    await terraform.apply(planFileName);
  } catch (error) {
    await closeAppliedCreations(stack, session, terraform).catch((journalError: Error) =>
      printLine(`the record of created objects is not up to date: ${journalError.message}`),
    );
    throw error;
  }
  await closeAppliedCreations(stack, session, terraform);
}

/** Closes the sandbox's journal entries of a stack's objects, after its apply. */
async function closeAppliedCreations(
  stack: RunnableStack,
  { sandbox }: ApplySession,
  terraform: Terraform,
): Promise<void> {
  const state = localStateFileOf(stack.directory);
  if (sandbox !== undefined && state !== undefined)
    await closeCreationsOf(
      isEncrypted(state)
        ? managedResourcesIn(await terraform.pullState())
        : readManagedResources(state),
      sandbox,
    );
}

/** Closes the sandbox's journal entries whose objects are in the state. */
function closeCreationsOf(
  resources: readonly ResourceInState[],
  { projectDir, environmentName }: SandboxHandle,
): Promise<void> {
  const ids = resources.flatMap(({ instances }) =>
    instances.flatMap(({ attributes }) => attributes?.id ?? []),
  );
  return closeCreations(
    sandboxPaths(projectDir, environmentName).creationJournals,
    new Set(ids.map(String)),
  );
}

/** The file name of a plan in a stack's working directory. */
export const planFileName = 'castellan.tfplan';

/**
 * The variables by which users place Terraform's data and choose a state. They are for the cloud:
 * in the sandbox each stack has one state, and its data are beside it.
 */
const sandboxStateVariables = { TF_DATA_DIR: undefined, TF_WORKSPACE: undefined };

/** The Terraform of one stack, which reports its progress line by line. */
export function terraformOf(
  stack: RunnableStack,
  session: ApplySession,
  printLine: PrintLine,
): Terraform {
  const eventTypes = new Set([
    'apply_start',
    'apply_complete',
    'apply_errored',
    'refresh_errored',
    'state_repaired',
  ]);
  return new Terraform({
    program: session.terraformProgram,
    directory: stack.directory,
    env: session.sandbox === undefined ? stack.env : { ...stack.env, ...sandboxStateVariables },
    onEvent: (event) => {
      // people and groups that are only read say nothing about what changes
      const isRead = event['@message'].startsWith('data.') && event.type !== 'refresh_errored';
      if (eventTypes.has(event.type) && !isRead)
        printLine(event['@message'].replace(/ \[id=.*\]$/, ''));
    },
  });
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
