import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CastellanError, isCastellanError } from '../../../core/errors/castellan-error.js';
import { temporarySocketFolder } from '../../../core/process/socket-path.js';
import { terminalOutputOf } from '../../../core/text/terminal.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import type { Api } from '../../../provider/handlers/handler.js';
import {
  providerAddresses,
  type ProviderName,
  reattachValue,
  type RunningProvider,
  startProvider,
} from '../../../provider/index.js';
import { withAdoption } from '../../../provider/server/creation-journal.js';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { readManagedResources } from '../../../stacks/terraform/state-file.js';
import type { TerraformDiagnostic } from '../../../stacks/terraform/terraform-event.js';
import { describePlannedCounts, describeChanges } from '../../apply/plan-summary.js';
import { checkStacks } from '../../apply/check-stacks.js';
import { openSession } from '../../apply/open-session.js';
import { readApplyOptions } from '../../apply/options.js';
import { applyPlans, planStacks, type StackPlan } from '../../apply/plan-stacks.js';
import { createProgress, type Progress } from '../../apply/progress.js';
import { withApplyLock } from '../../apply/apply-lock.js';
import type { ApplySession } from '../../apply/session.js';
import type { CliIo } from '../../command.js';
import type { AdoptedSecret } from './adopt-stack.js';
import { clientSecretsOf } from './client-secrets.js';
import { printText } from '../../format.js';

/** The stack that adopts existing objects, and the objects. */
export interface AdoptionTarget {
  /** The configuration that declares the objects. */
  readonly file: string;
  /** Where the objects are: in the sandbox, or with `--target azure` in the cloud. */
  readonly target: 'sandbox' | 'azure';
  /** The environment of the stack; undefined for the default one. */
  readonly environment: string | undefined;
  readonly api: Api;
  /** The existing objects, as resources of a state. */
  readonly resources: readonly PlannedResource[];
  readonly secrets: readonly AdoptedSecret[];
}

/**
 * Adds existing objects to the state of the stack that declares them. Terraform applies the stack by
 * Castellan's own providers, which adopt an existing object unchanged in place of creating one. The
 * sandbox serves these providers; for the cloud this process does, and they refuse to create objects.
 * Prints the differences from the declaration.
 *
 * @throws CAS8205 when the state is not empty.
 */
export async function adoptIntoState(
  { file, target, environment, api, resources, secrets }: AdoptionTarget,
  io: CliIo,
): Promise<void> {
  const progress = createProgress(io);
  const options = readApplyOptions([file], {
    target,
    download: true,
    ...omitUndefined({ environment }),
  });
  const secretVariables = secrets.flatMap(({ variable, value }) =>
    value === undefined ? [] : [[variable, value] as const],
  );
  const env = target === 'sandbox' ? io.env : { ...Object.fromEntries(secretVariables), ...io.env };
  const loadedStacks = await checkStacks(options, io, progress, 'plan');
  const clientSecrets = await clientSecretsOf(resources, api.directory);
  const journalsFolder = sandboxPaths(io.cwd, environment).creationJournals;
  const remainingPlans = await withApplyLock(options, io, async () => {
    const session = await openSession(loadedStacks, options, { ...io, env }, progress);
    if (target === 'sandbox')
      return withAdoption(journalsFolder, { secrets: clientSecrets, missing: 'created' }, () =>
        applyAdoption(session, progress),
      );
    return withOwnProviders(api, (ownJournalsFolder, reattach) => {
      const stacks = session.stacks.map((stack) => ({
        ...stack,
        env: { ...stack.env, TF_REATTACH_PROVIDERS: reattach },
      }));
      return withAdoption(ownJournalsFolder, { secrets: clientSecrets, missing: 'refused' }, () =>
        applyAdoption({ ...session, stacks }, progress),
      );
    });
  });
  for (const { stack, changes, isClean } of remainingPlans) {
    const lines = isClean
      ? [`${stack.name}: taken into the state; a plan shows no changes`]
      : [`${stack.name}: ${describePlannedCounts(changes)}`];
    printText(
      io.stderr,
      [...lines, ...describeChanges(changes, terminalOutputOf(io.stderr, io.env)), ''].join('\n'),
    );
  }
}

/**
 * Applies the stacks while the providers adopt existing objects.
 *
 * @returns new plans, whose changes are the differences that remain.
 * @throws CAS8205 when a plan does more than create: the state is not empty.
 */
async function applyAdoption(
  session: ApplySession,
  progress: Progress,
): Promise<readonly StackPlan[]> {
  const plans = await planStacks(session.stacks, session, progress);
  for (const { stack, changes } of plans) {
    const unexpectedAddresses = changes
      .filter(({ action }) => action !== 'create')
      .map(({ address }) => address);
    if (unexpectedAddresses.length > 0)
      throw new CastellanError(
        'CAS8205',
        `the state of ${stack.name} has ${unexpectedAddresses.join(', ')}`,
      );
  }
  try {
    await applyPlans(plans, session, progress);
  } catch (error) {
    // objects that do not exist are among the changes of the next plan
    if (!isMissingObjects(error)) throw error;
  }
  return planStacks(session.stacks, session, progress);
}

/** Whether Terraform failed by nothing but objects that do not exist. */
function isMissingObjects(error: unknown): boolean {
  const errors = isCastellanError(error) ? error.details['errors'] : undefined;
  return (
    Array.isArray(errors) &&
    errors.length > 0 &&
    (errors as readonly TerraformDiagnostic[]).every(({ detail = '' }) =>
      detail.startsWith('CAS8206:'),
    )
  );
}

/**
 * Serves the providers in this process while `work` runs, which gets the folder of their journals and
 * the value of `TF_REATTACH_PROVIDERS`.
 */
async function withOwnProviders<T>(
  api: Api,
  work: (journalsFolder: string, reattach: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(
    join(temporarySocketFolder('castellan-XXXXXX/castellan.sock'), 'castellan-'),
  );
  const journalsFolder = join(folder, 'creations');
  const providers: RunningProvider[] = [];
  try {
    for (const name of Object.keys(providerAddresses) as ProviderName[])
      providers.push(
        await startProvider({
          name,
          socketPath: join(folder, `${name}.sock`),
          creationsFolder: journalsFolder,
          target: { api },
        }),
      );
    return await work(journalsFolder, reattachValue(providers));
  } finally {
    // a socket that can't be closed ends with this process
    await Promise.allSettled(providers.map((each) => each.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Refuses a stack whose local state is not empty, before the services are read. A state that can't
 * be read is left to Terraform.
 *
 * @throws CAS8205 when it is not.
 */
export function requireEmptyState(
  stack: string,
  { target, environment }: Pick<AdoptionTarget, 'target' | 'environment'>,
  { cwd }: CliIo,
): void {
  const folder = target === 'sandbox' ? sandboxPaths(cwd, environment).root : cwd;
  // only an environment with an overlay is part of the name
  const stateNames = [stack, ...(environment === undefined ? [] : [`${stack}.${environment}`])];
  const resources = stateNames.flatMap((name) =>
    readManagedResources(join(folder, `terraform.${name}.tfstate`)),
  );
  if (resources.length > 0)
    throw new CastellanError(
      'CAS8205',
      `the stack ${stack} has ${String(resources.length)} resources in its state`,
    );
}
