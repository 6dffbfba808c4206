import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { BulkTerraform } from '../../stacks/engine/bulk-terraform.js';
import { environmentVariables } from '../../stacks/engine/find-terraform.js';
import type { TerraformEvent } from '../../stacks/engine/terraform-event.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import type { Say } from './progress.js';
import type { PreparedStack } from './session.js';
import { standInSecrets } from './stand-in-secrets.js';

/** The variables of a synthesized stack, `TF_VAR_…` with their values; unset ones are generated. */
export function variablesOf(
  file: string,
  { env }: CliIo,
  standIns: ReturnType<typeof standInSecrets>,
): Record<string, string> {
  const names = environmentVariables(readFileSync(file, 'utf8'));
  return Object.fromEntries(
    names.map((name) => [
      `TF_VAR_${name}`,
      env[name] ?? env[`TF_VAR_${name}`] ?? standIns.valueOf(name),
    ]),
  );
}

/**
 * Adds to the states of stacks in a sandbox what killed bulk runs created and did not save. Called
 * before the stacks are synthesized again, since it needs the configuration of those runs.
 *
 * @throws CAS2103 with Terraform's diagnostics.
 */
export async function recoverStacks(
  names: readonly string[],
  engine: { readonly terraform: string; readonly env: PreparedStack['env'] },
  { environment }: ApplyOptions,
  io: CliIo,
  say: Say,
): Promise<void> {
  const standIns = standInSecrets(io.cwd, environment);
  const onEvent = (event: TerraformEvent): void => {
    if (event.type === 'state_mended') say(event['@message']);
  };
  for (const name of names) {
    const directory = resolve(io.cwd, environmentFolder(environment), 'stacks', name);
    if (!BulkTerraform.wasCut(directory)) continue;
    const env = { ...engine.env, ...variablesOf(join(directory, 'cdk.tf.json'), io, standIns) };
    await new BulkTerraform({ program: engine.terraform, directory, env, onEvent }).recover();
  }
}
