import { dirname, join, relative, resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { makeFolder } from '../core/source/make-folder.js';
import { App } from '../constructs/internal/cdktf.js';
import { isFastSynthesisOff } from '../constructs/internal/cdktf-internals.js';
import { type MovedFromOtherStack, MovedBlocks } from '../constructs/internal/moved-blocks.js';
import { setConfigLocator } from '../constructs/stack/source-manifest.js';
import { formerPlaces, movesOf } from '../kinds/stack/moved.js';
import { omitUndefined } from '../core/values/omit-undefined.js';
import type { LoadedStack, StackConfig } from '../policies/index.js';
import { secretVariables, type RequiredVariable } from './secret-variables.js';
import { orderStacks } from './order-stacks.js';
import type { EnvironmentVariables } from '../core/process/environment-variables.js';
import { resolveEnvironment } from './resolve-environment.js';
import type { Target } from '../core/sandbox/target.js';
import { declareContainerApps } from './declared/container-apps.js';
import { StackBuilder, type StackDeclaration } from './declared/stack-builder.js';
import { DirectoryObjects } from './declared/directory-objects.js';
import { declareItems } from './declared/items.js';
import { CastellanStack } from '../constructs/stack/castellan-stack.js';

/**
 * A configuration to synthesize: a result of `loadConfig`, or only its `config`. `environment` is
 * that of its overlay, such as `prod`.
 */
export type StackSource = Pick<LoadedStack, 'config'> &
  Partial<Pick<LoadedStack, 'locate' | 'files' | 'environment'>>;

/** What to synthesize, and where to. */
export interface SynthesizeOptions {
  /** The configurations to synthesize. */
  readonly stacks: readonly StackSource[];
  /** The output folder; created if missing. */
  readonly outdir: string;
  /** Where the stacks are applied. @default azure */
  readonly target?: Target;
  /** The environment variables for `${env:NAME}`. @default process.env */
  readonly env?: EnvironmentVariables;
  /** The base folder of configuration file paths. @default process.cwd() */
  readonly cwd?: string;
  /**
   * The folder for the state files of stacks without `backend:`.
   *
   * @default the folder that contains `outdir`, where names of the sandbox's end in
   *   `.sandbox.tfstate`: the cloud's are there, too
   */
  readonly stateDirectory?: string;
  /**
   * Skips the checks of the constructs, for configurations that were checked by their policy:
   * findings that it accepts are not refused then.
   *
   * @default false
   */
  readonly skipValidation?: boolean;
}

/** A synthesized stack. */
export interface SynthesizedStack {
  /** The name of the stack. */
  readonly name: string;
  /** Terraform's working directory: `stacks/<name>` in the output folder. */
  readonly directory: string;
  /** The Terraform JSON file in it. */
  readonly file: string;
  /** The stacks that are applied before this one. */
  readonly dependsOn: readonly string[];
  /** The secrets that Terraform needs (see `terraformVariables`). */
  readonly variables: readonly RequiredVariable[];
  /** The resources that move to this state from those of other stacks. @default none */
  readonly moves?: StateMoves;
}

/** The resources that move to a state from those of other stacks. */
export interface StateMoves {
  /** The earlier names of the stack, the oldest first: its whole state moves. */
  readonly stacks: readonly string[];
  /** Single addresses, in the order in which they moved. */
  readonly addresses: readonly MovedFromOtherStack[];
}

/**
 * Writes plain Terraform JSON for every configuration, as `stacks/<name>/cdk.tf.json` in the output
 * folder, and cdktf's manifest beside them. Equal configurations give the same bytes on every
 * machine.
 *
 * @returns the stacks in the order of application.
 * @throws CAS1002 when a variable is not set, CAS2001 when a declaration violates a limit, CAS2007
 *   for an unknown reference, CAS2008 when stacks depend on each other in a cycle, CAS2009 when two
 *   stacks have one name, CAS2011 when the folder cannot be created.
 */
export function synthesize(options: SynthesizeOptions): SynthesizedStack[] {
  const {
    env = process.env,
    target = 'azure',
    cwd = process.cwd(),
    skipValidation = false,
  } = options;
  const outdir = resolve(cwd, options.outdir);
  const resolvedStacks = options.stacks.map(({ config, locate, files, environment }) => ({
    config: resolveEnvironment(config, env, locate, target),
    ...omitUndefined({ locate, environment }),
    ...(files?.[0] !== undefined && { file: resolve(cwd, files[0]) }),
  }));
  const orderedStacks = orderStacks(
    resolvedStacks.map((each) => ({
      ...each,
      name: each.config.stack,
      dependsOn: each.config.dependsOn ?? [],
    })),
  );
  const moves = resolvedStacks.flatMap(({ config }) => movesOf(config));
  const stateMoves = new Map<string, StateMoves>();
  makeOutputFolder(outdir);
  const app = new App({ outdir });
  const stacks = new Map<string, CastellanStack>();
  for (const declaration of orderedStacks) {
    const { name, config, dependsOn } = declaration;
    const formerNames = formerPlaces(moves, { stack: name }).map((each) => each.stack);
    const stack = new ConfiguredStack(app, name, {
      ...stackProps(config, target, statePath(declaration, outdir, options)),
      movedFrom: formerNames,
      skipValidation,
    });
    setConfigLocator(stack, { locate: declaration.locate, cwd });
    stacks.set(name, stack);
    buildStack(stack, { ...declaration, moves });
    const addresses = moves.length === 0 ? [] : MovedBlocks.of(stack).movesFromOtherStacks();
    if (formerNames.length > 0 || addresses.length > 0)
      stateMoves.set(name, { stacks: formerNames, addresses });
    for (const dependency of dependsOn.flatMap((each) => stacks.get(each) ?? []))
      stack.addDependency(dependency);
  }
  app.synth();
  return orderedStacks.map(({ name, config, dependsOn }) => {
    const directory = join(outdir, 'stacks', name);
    return {
      name,
      directory,
      file: join(directory, 'cdk.tf.json'),
      dependsOn,
      variables: secretVariables(config),
      ...omitUndefined({ moves: stateMoves.get(name) }),
    };
  });
}

function stackProps(
  { azure, backend, dialect = 'neutral' }: StackConfig,
  target: Target,
  path: string,
) {
  return {
    statePath: path,
    ...omitUndefined({ azure }),
    // in the sandbox the state is a file, whatever backend the cloud has
    sandbox: target === 'sandbox' ? { dialect } : undefined,
    ...omitUndefined({ backend: target === 'sandbox' ? undefined : backend }),
  };
}

/**
 * The path of the state file, relative to Terraform's working directory: an absolute path would
 * differ between machines.
 */
function statePath(
  { config, file, environment }: { config: StackConfig; file?: string; environment?: string },
  outdir: string,
  { stateDirectory, cwd = '.', target }: SynthesizeOptions,
): string {
  const declaredPath = target === 'sandbox' ? undefined : config.backend?.local?.path;
  const name = environment === undefined ? config.stack : `${config.stack}.${environment}`;
  const isBesideCloudStates = target === 'sandbox' && stateDirectory === undefined;
  const path =
    declaredPath === undefined
      ? join(
          stateDirectory === undefined ? dirname(outdir) : resolve(cwd, stateDirectory),
          `terraform.${name}${isBesideCloudStates ? '.sandbox' : ''}.tfstate`,
        )
      : resolve(file === undefined ? cwd : dirname(file), declaredPath);
  return relative(join(outdir, 'stacks', config.stack), path);
}

function makeOutputFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    throw new CastellanError(
      'CAS2011',
      `${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * Creates the constructs of a configuration.
 *
 * @throws CAS2007 for an unknown reference, CAS2008 when declarations refer to each other in a
 *   cycle.
 */
export function buildStack(stack: CastellanStack, declaration: StackDeclaration): void {
  const builder = new StackBuilder(stack, declaration);
  const directory = new DirectoryObjects(builder);
  directory.declareGroupsAndRegistrations();
  directory.declareLifecyclePolicy(
    stack,
    declaration.config.groupLifecyclePolicy,
    declaration.config.groups,
  );
  declareContainerApps(builder, directory);
  declareItems(builder, directory);
}

/**
 * A stack created from a configuration. Stacks of configurations never refer to each other's
 * resources, so cdktf's search for such references is skipped, unless fast synthesis is off.
 */
export class ConfiguredStack extends CastellanStack {
  override prepareStack(): void {
    if (isFastSynthesisOff) super.prepareStack();
    else this.ensureBackendExists();
  }
}
