import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentFolder } from '../../core/project/environment-folder.js';
import type { LoadedStack } from '../../policies/index.js';
import { declaredVariableNames } from '../../stacks/secret-variables.js';
import { orderStacks } from '../../stacks/order-stacks.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import type { PrintLine } from './progress.js';
import type { RunnableStack, ApplySession } from './session.js';
import { hasProtectedStack } from './check-stacks.js';
import { startTargetSandbox } from './open-session.js';
import { engineOfStacks, findTerraformProgram } from './terraform-program.js';
import { secretGenerator } from './generated-secrets.js';

/**
 * Opens stacks from the Terraform JSON of their last apply, so that they can be destroyed without a
 * valid configuration and without its variables.
 *
 * @param loaded the configurations; only their names and dependencies are used.
 * @returns the session, and the names of the stacks that were never synthesized here.
 */
export async function openAppliedStacks(
  loaded: readonly LoadedStack[],
  options: ApplyOptions,
  io: CliIo,
  printLine: PrintLine,
): Promise<{ readonly session: ApplySession; readonly unsynthesizedStacks: readonly string[] }> {
  const terraformProgram = await findTerraformProgram(
    { ...options, engine: engineOfStacks(loaded) },
    io,
    printLine,
  );
  const sandbox = await startTargetSandbox(options, io, printLine);
  const env = { ...io.env, ...sandbox?.environmentVariables(options.providers, io.env) };
  const folder = environmentFolder(options.environment);
  const outdir = resolve(
    io.cwd,
    folder,
    options.target === 'sandbox' ? '.' : options.target,
    'stacks',
  );
  const secrets = secretGenerator(io.cwd, options.environment);
  const stacks: RunnableStack[] = [];
  const unsynthesizedStacks: string[] = [];
  for (const { config } of loaded) {
    const directory = join(outdir, config.stack);
    const file = join(directory, 'cdk.tf.json');
    if (!existsSync(file)) {
      unsynthesizedStacks.push(config.stack);
      continue;
    }
    const terraformVariables = terraformVariableValues(file, io, secrets);
    const dependsOn = (config.dependsOn ?? []).filter((name) =>
      loaded.some((each) => each.config.stack === name),
    );
    stacks.push({
      name: config.stack,
      dependsOn,
      directory,
      file,
      variables: [],
      env: { ...env, ...terraformVariables },
    });
  }
  const session = {
    stacks: orderStacks(stacks),
    apps: {},
    isProtected: hasProtectedStack(loaded),
    terraformProgram,
  };
  return {
    session: sandbox === undefined ? session : { ...session, sandbox },
    unsynthesizedStacks,
  };
}

/**
 * The environment variables of a synthesized stack's Terraform variables, `TF_VAR_…`, with their
 * values; values that are not set are generated.
 */
function terraformVariableValues(
  file: string,
  { env }: CliIo,
  secrets: ReturnType<typeof secretGenerator>,
): Record<string, string> {
  const names = declaredVariableNames(readFileSync(file, 'utf8'));
  return Object.fromEntries(
    names.map((name) => [
      `TF_VAR_${name}`,
      env[name] ?? env[`TF_VAR_${name}`] ?? secrets.valueOf(name),
    ]),
  );
}
