import { join } from 'node:path';
import { at } from '../../../kinds/schema/steps.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import type { Api } from '../../../provider/handlers/handler.js';
import { adopting } from '../../../provider/server/creation-journal.js';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { readApplyOptions } from '../../apply/options.js';
import { countPlanned, describeChanges } from '../../apply/describe.js';
import { planStacks } from '../../apply/plan-stacks.js';
import { createProgress } from '../../apply/progress.js';
import { applyStacks } from '../../apply/up.js';
import type { CliIo } from '../../command.js';
import { say } from '../../say.js';
import { screenOf } from '../../../core/text/terminal.js';

/**
 * Takes what a sandbox has into the state of the stack that declares it: Terraform applies the stack, and its providers take up what exists
 * as it is. What then differs from the declaration is said.
 */
export async function takeIntoState(
  file: string,
  environment: string | undefined,
  api: Api,
  resources: readonly PlannedResource[],
  io: CliIo,
): Promise<void> {
  const options = readApplyOptions([file], { target: 'sandbox', download: true, ...(environment === undefined ? {} : { environment }) });
  const progress = createProgress(io);
  const folder = join(sandboxPaths(io.cwd, environment).root, 'creations');
  const secrets = await passwordsOf(resources, api);

  const { session } = await adopting(folder, secrets, () => applyStacks(options, io, progress));
  for (const { stack, changes, clean } of await planStacks(session.stacks, session, progress)) {
    const lines = clean ? [`${stack.name}: taken into the state; a plan shows no changes`] : [`${stack.name}: ${countPlanned(changes)}`];
    say(io.stderr, [...lines, ...describeChanges(changes, screenOf(io.stderr, io.env)), ''].join('\n'));
  }
}

/** The secrets of registrations, which the directory doesn't tell: the apps that sign in with them have them. */
async function passwordsOf(resources: readonly PlannedResource[], { directory }: Api): Promise<Record<string, { readonly value: string }>> {
  const secrets: Record<string, { readonly value: string }> = {};
  for (const auth of resources.filter(({ type }) => type === 'azapi_resource')) {
    const registration = at(auth.after, ['body', 'properties', 'identityProviders', 'azureActiveDirectory', 'registration']);
    const [clientId, name] = [at(registration, ['clientId']), at(registration, ['clientSecretSettingName'])];
    const app = resources.find(({ type, name: own }) => type === 'azurerm_container_app' && own === auth.name);
    const given = (at(app?.after, ['secret']) ?? []) as readonly { readonly name: string; readonly value?: string }[];
    const value = given.find((each) => each.name === name)?.value;
    if (typeof clientId !== 'string' || value === undefined) continue;
    for await (const { id, passwordCredentials = [] } of directory.applications.list({ filter: `appId eq '${clientId}'` }))
      for (const { keyId, hint } of passwordCredentials)
        if (hint === undefined || hint === null || value.startsWith(hint)) secrets[`${id}/password/${keyId}`] = { value };
  }
  return secrets;
}
