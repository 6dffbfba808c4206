import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError, isCastellanError } from '../../../core/errors/castellan-error.js';
import { terminalOutputOf } from '../../../core/text/terminal.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import type { Api } from '../../../provider/handlers/handler.js';
import {
  providerAddresses,
  type ProviderName,
  reattachValue,
  startProvider,
} from '../../../provider/index.js';
import { withAdoption } from '../../../provider/server/creation-journal.js';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { describePlannedCounts, describeChanges } from '../../apply/plan-summary.js';
import { checkStacks, openSession } from '../../apply/open-session.js';
import { readApplyOptions } from '../../apply/options.js';
import { applyPlans, planStacks, type StackPlan } from '../../apply/plan-stacks.js';
import { createProgress, type Progress } from '../../apply/progress.js';
import type { ApplySession } from '../../apply/session.js';
import type { CliIo } from '../../command.js';
import type { AdoptedSecret } from './adopted-app.js';
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
  const session = await openSession(
    await checkStacks(options, io, progress, 'plan'),
    options,
    { ...io, env },
    progress,
  );
  const clientSecrets = await clientSecretsOf(resources, api);
  const journalsFolder = sandboxPaths(io.cwd, environment).creations;
  const remainingPlans =
    target === 'sandbox'
      ? await withAdoption(journalsFolder, { secrets: clientSecrets, missing: 'created' }, () =>
          applyAdoption(session, progress),
        )
      : await withOwnProviders(api, async (ownJournalsFolder, reattach) => {
          const stacks = session.stacks.map((stack) => ({
            ...stack,
            env: { ...stack.env, TF_REATTACH_PROVIDERS: reattach },
          }));
          return withAdoption(
            ownJournalsFolder,
            { secrets: clientSecrets, missing: 'refused' },
            () => applyAdoption({ ...session, stacks }, progress),
          );
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
    if (!isCastellanError(error) || !error.message.includes('CAS8206')) throw error;
  }
  return planStacks(session.stacks, session, progress);
}

/**
 * Serves the providers in this process while `work` runs, which gets the folder of their journals and
 * the value of `TF_REATTACH_PROVIDERS`.
 */
async function withOwnProviders<T>(
  api: Api,
  work: (journalsFolder: string, reattach: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-'));
  const journalsFolder = join(folder, 'creations');
  const providers = await Promise.all(
    (Object.keys(providerAddresses) as ProviderName[]).map((name) =>
      startProvider({
        name,
        socketPath: join(folder, `${name}.sock`),
        creationsFolder: journalsFolder,
        target: { api },
      }),
    ),
  );
  try {
    return await work(journalsFolder, reattachValue(providers));
  } finally {
    await Promise.all(providers.map((each) => each.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Refuses a stack whose local state is not empty, before the services are read.
 *
 * @throws CAS8205 when it is not.
 */
export function requireEmptyState(
  stack: string,
  { target, environment }: Pick<AdoptionTarget, 'target' | 'environment'>,
  { cwd }: CliIo,
): void {
  const folder = target === 'sandbox' ? sandboxPaths(cwd, environment).root : cwd;
  const file = join(
    folder,
    `terraform.${stack}${environment === undefined ? '' : `.${environment}`}.tfstate`,
  );
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { resources = [] } = (text === '' ? {} : JSON.parse(text)) as {
    readonly resources?: readonly { readonly mode: string }[];
  };
  const count = resources.filter(({ mode }) => mode === 'managed').length;
  if (count > 0)
    throw new CastellanError(
      'CAS8205',
      `the stack ${stack} has ${String(count)} resources in its state`,
    );
}

/**
 * The client secrets of registrations, from the secrets of the apps that use them: the directory does
 * not return them.
 *
 * @returns the secrets by their addresses in the journal, `{object id}/password/{key id}`
 */
async function clientSecretsOf(
  resources: readonly PlannedResource[],
  { directory }: Api,
): Promise<Record<string, { readonly value: string }>> {
  const secrets: Record<string, { readonly value: string }> = {};
  for (const authConfig of resources.filter(({ type }) => type === 'azapi_resource')) {
    const registration = valueAtPath(authConfig.after, [
      'body',
      'properties',
      'identityProviders',
      'azureActiveDirectory',
      'registration',
    ]);
    const [clientId, secretName] = [
      valueAtPath(registration, ['clientId']),
      valueAtPath(registration, ['clientSecretSettingName']),
    ];
    const app = resources.find(
      ({ type, name: appName }) => type === 'azurerm_container_app' && appName === authConfig.name,
    );
    const appSecrets = (valueAtPath(app?.after, ['secret']) ?? []) as readonly {
      readonly name: string;
      readonly value?: string;
    }[];
    const value = appSecrets.find((each) => each.name === secretName)?.value;
    if (typeof clientId !== 'string' || value === undefined) continue;
    for await (const { id, passwordCredentials = [] } of directory.applications.list({
      filter: `appId eq '${clientId}'`,
    }))
      for (const { keyId, hint } of passwordCredentials)
        if (hint === undefined || hint === null || value.startsWith(hint))
          secrets[`${id}/password/${keyId}`] = { value };
  }
  return secrets;
}
