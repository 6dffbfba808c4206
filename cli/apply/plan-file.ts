import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { CastellanError } from '../../core/errors/castellan-error.js';
import {
  defaultEnvironment,
  environmentFolder,
  isEnvironmentName,
} from '../../core/project/environment-folder.js';
import { replaceFile } from '../../core/source/replace-file.js';
import { isObject } from '../../core/values/is-object.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { CliIo } from '../command.js';
import type { Allowances } from './allowed-losses.js';
import { requireApprovable } from './approval.js';
import { type ApplyOptions, providerChoices, targets } from './options.js';
import { planFileName, type StackPlan, terraformOf, toStackPlan } from './plan-stacks.js';
import {
  type EngineName,
  engineNames,
  pinnedReleases,
} from '../../stacks/terraform/engine-release.js';
import { type Progress, runTask } from './progress.js';
import type { RunnableStack, ApplySession } from './session.js';
import { startTargetSandbox } from './open-session.js';
import { findSupportedEngine } from './terraform-program.js';

/** The description at the start of a plan file. */
interface PlanManifest {
  readonly version: 1;
  readonly target: ApplyOptions['target'];
  readonly providers: ApplyOptions['providers'];
  /** The environment that was planned, also where it is the default one. */
  readonly environment: string;
  /** Whether one of the stacks says `protected: true`. */
  readonly isProtected: boolean;
  /** The engine that made the plan, which alone can apply it. */
  readonly engine?: EngineName;
  /** How the sandbox runs the apps of the stacks, by name. */
  readonly apps: ApplySession['apps'];
  /** The losses of data that `plan` was told to allow. */
  readonly allowed?: Allowances;
  /** In the order of application, each with the names of those that it depends on. */
  readonly stacks: readonly { readonly name: string; readonly dependsOn: readonly string[] }[];
}

const manifestName = 'castellan-plan.json';

/** The files of each stack in a plan file. */
const stackFileNames = [planFileName, 'cdk.tf.json'] as const;

/**
 * Writes plans to one file: Terraform's own plan and the synthesized stack of each. It contains
 * values of variables, as Terraform's plans do, and is readable by its owner only.
 */
export function writePlanFile(
  file: string,
  plans: readonly StackPlan[],
  session: ApplySession,
  options: ApplyOptions,
  io: CliIo,
): void {
  const manifest: PlanManifest = {
    version: 1,
    target: options.target,
    providers: options.providers,
    environment: options.environment ?? defaultEnvironment,
    isProtected: session.isProtected,
    ...omitUndefined({ engine: session.engine }),
    apps: session.apps,
    allowed: { allowReplace: options.allowReplace, allowDestroy: options.allowDestroy },
    stacks: plans.map(({ stack: { name, dependsOn } }) => ({ name, dependsOn })),
  };
  const entries: Record<string, Uint8Array> = {
    [manifestName]: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
  };
  for (const { stack } of plans)
    for (const name of stackFileNames)
      entries[`${stack.name}/${name}`] = readFileSync(join(stack.directory, name));
  try {
    replaceFile(resolve(io.cwd, file), (draft) =>
      writeFileSync(draft, zipSync(entries), { mode: 0o600 }),
    );
  } catch (cause) {
    throw new CastellanError('CAS8203', `${file}: ${(cause as Error).message}`, {
      details: { file },
      cause,
    });
  }
}

/** The content of a plan file. */
export interface PlanFile {
  readonly manifest: PlanManifest;
  /** The files in it, by path: the manifest, and for each stack its JSON and Terraform's plan. */
  readonly entries: Readonly<Record<string, Uint8Array>>;
  /** The options of `up`, with target, providers, environment and allowances of the plan. */
  readonly plannedOptions: ApplyOptions;
}

/**
 * Reads a plan file for `up --plan`: target, environment and stacks are those of the plan, even if
 * the configuration has changed.
 *
 * @throws CAS8105 when the file is not a plan, or a plan of another environment than the options
 *   name.
 */
export function readPlanFile(file: string, options: ApplyOptions, io: CliIo): PlanFile {
  const { manifest, entries } = unzipPlanFile(file, io);
  const environment =
    manifest.environment === defaultEnvironment ? undefined : manifest.environment;
  const expectedEnvironment = options.expectedPlan?.environment ?? manifest.environment;
  if (expectedEnvironment !== manifest.environment)
    throw new CastellanError(
      'CAS8105',
      `${file} is a plan of the environment ${manifest.environment}, not of ${expectedEnvironment}`,
    );
  for (const each of ['target', 'providers'] as const) {
    const expected = options.expectedPlan?.[each];
    if (expected !== undefined && expected !== manifest[each])
      throw new CastellanError(
        'CAS8105',
        `${file} is a plan with --${each} ${manifest[each]}, not ${expected}`,
      );
  }
  const { environment: _environment, ...rest } = options;
  const plannedOptions: ApplyOptions = {
    ...rest,
    target: manifest.target,
    providers: manifest.providers,
    ...withAllowances(options, manifest.allowed),
    ...omitUndefined({ environment }),
  };
  return { manifest, entries, plannedOptions };
}

/** What either of `plan` and `up` was told to allow. */
function withAllowances(upAllowances: Allowances, planAllowances?: Allowances): Allowances {
  const [upReplace, planReplace] = [upAllowances.allowReplace, planAllowances?.allowReplace ?? []];
  return {
    allowReplace:
      upReplace === 'all' || planReplace === 'all' ? 'all' : [...upReplace, ...planReplace],
    allowDestroy: [...upAllowances.allowDestroy, ...(planAllowances?.allowDestroy ?? [])],
  };
}

/** Prepares the stacks of a plan file to be applied as planned. */
export async function openPlanFile(
  { manifest, entries, plannedOptions }: PlanFile,
  io: CliIo,
  progress: Progress,
): Promise<{ readonly session: ApplySession; readonly plans: readonly StackPlan[] }> {
  requireApprovable(plannedOptions, { command: 'up', isProtected: manifest.isProtected }, io);
  const { program, engine } = await runTask(progress, 'Find Terraform', (printLine) =>
    findSupportedEngine({ ...plannedOptions, engine: manifest.engine }, io, printLine),
  );
  if (manifest.engine !== undefined && engine.name !== manifest.engine)
    throw new CastellanError(
      'CAS8105',
      `it is a plan of ${pinnedReleases[manifest.engine].title}, and CASTELLAN_ENGINE asks for ${engine.name}: leave out the variable`,
    );
  const sandbox = await runTask(progress, 'Target', (printLine) =>
    startTargetSandbox(plannedOptions, io, printLine),
  );
  const env = { ...io.env, ...sandbox?.environmentVariables(plannedOptions.providers, io.env) };
  const outdir = resolve(
    io.cwd,
    environmentFolder(plannedOptions.environment),
    manifest.target === 'sandbox' ? '.' : manifest.target,
    'stacks',
  );
  const stacks = manifest.stacks.map(({ name, dependsOn }): RunnableStack => {
    const directory = join(outdir, name);
    mkdirSync(directory, { recursive: true });
    for (const each of stackFileNames)
      writeFileSync(
        join(directory, each),
        entries[`${name}/${each}`] ?? '',
        each === planFileName ? { mode: 0o600 } : {},
      );
    return { name, dependsOn, directory, file: join(directory, 'cdk.tf.json'), variables: [], env };
  });
  const session: ApplySession = {
    stacks,
    apps: manifest.apps,
    isProtected: manifest.isProtected,
    terraformProgram: program,
    ...omitUndefined({ sandbox }),
  };
  const plans = await progress.run(
    stacks.map((stack) => ({
      title: `Read the plan of ${stack.name}`,
      work: async (printLine) => {
        const terraform = terraformOf(stack, session, printLine);
        await terraform.init();
        return toStackPlan(stack, await terraform.showPlan(planFileName));
      },
    })),
  );
  return { session, plans };
}

function unzipPlanFile(
  file: string,
  io: CliIo,
): { readonly manifest: PlanManifest; readonly entries: Readonly<Record<string, Uint8Array>> } {
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw new CastellanError('CAS8105', `${file} does not exist`);
  let entries: Readonly<Record<string, Uint8Array>>;
  try {
    entries = unzipSync(readFileSync(path));
  } catch (cause) {
    throw new CastellanError('CAS8105', `${file} is no file of \`castellan plan --out\``, {
      cause,
    });
  }
  const manifest = tryParseJson(Buffer.from(entries[manifestName] ?? []).toString('utf8'));
  if (!isManifest(manifest))
    throw new CastellanError(
      'CAS8105',
      `${file} is no file of \`castellan plan --out\` of version 1`,
    );
  for (const { name } of manifest.stacks)
    for (const each of stackFileNames)
      if (entries[`${name}/${each}`] === undefined)
        throw new CastellanError('CAS8105', `${file} lacks the plan of the stack "${name}"`);
  return { manifest, entries };
}

/** Whether the description in a plan file is one of this version, and complete. */
function isManifest(value: unknown): value is PlanManifest {
  if (!isObject(value)) return false;
  const { version, target, providers, environment, isProtected, engine, apps, stacks } = value;
  return (
    version === 1 &&
    targets.some((each) => each === target) &&
    providerChoices.some((each) => each === providers) &&
    typeof environment === 'string' &&
    isEnvironmentName(environment) &&
    typeof isProtected === 'boolean' &&
    [undefined, ...engineNames].some((each) => each === engine) &&
    isObject(apps) &&
    Array.isArray(stacks) &&
    stacks.every(
      (each: unknown) =>
        isObject(each) &&
        typeof each['name'] === 'string' &&
        /^[A-Za-z][A-Za-z0-9-]{0,62}$/.test(each['name']) &&
        Array.isArray(each['dependsOn']),
    )
  );
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it
  }
}
