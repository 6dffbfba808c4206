import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { type ChangedFiles, changedFiles } from '../core/source/changed-files.js';
import { diskFiles } from '../core/source/file-access.js';
import { loadConfig, type LoadOptions, type LoadResult } from '../policies/model/load-config.js';
import { environmentsOfStacks } from '../policies/model/environments.js';
import type { LoadedStack } from '../policies/model/loaded-stack.js';
import { stackNameOf } from '../policies/check/stack-checks.js';
import { baselineEnvironment, baselinePath } from '../policies/check/policy/read-baseline.js';
import { policyName } from '../policies/check/policy/find-policy.js';
import { type LoadedPolicy, loadPolicy } from '../policies/check/policy/load-policy.js';
import { accessTestPath, peopleFileOf } from './access/access-test-files.js';
import { defaultSeedName } from './seed-file.js';
import type { CliIo } from './command.js';
import { printText } from './format.js';

/** The configurations whose stacks a change touches. */
export interface ChangedStacks {
  /** Whether the change touches the stack of a configuration; that of a deleted one is touched. */
  readonly isTouched: (file: string) => boolean;
  /** Whether there are stacks at all. */
  readonly hasStacks: boolean;
  /** Whether the change touches one, or there is a configuration that can't be read. */
  readonly hasTouchedStacks: boolean;
}

type ChangeScope = Pick<LoadOptions, 'paths' | 'environment'> & {
  /** The policy file. @default the one that `check` finds */
  readonly policy?: string | undefined;
  /** The baseline file. @default the one beside the policy, or that the policy names */
  readonly baseline?: string | undefined;
};

/**
 * The stacks that a change touches: one of their files or of the files and folders that they name,
 * an overlay, the people of its access test, the stack that they depend on, or the policy, its packs
 * and its baseline, which judge all. Prints how many there are.
 *
 * @throws CAS7004, CAS7006 when there is nothing to compare with.
 */
export async function changedStacks(
  scope: ChangeScope,
  base: string | undefined,
  io: CliIo,
): Promise<ChangedStacks> {
  const change = changedFiles(io.cwd, base);
  const loads = await loadEnvironments(scope, io);
  const stacks = loads.flatMap((each) => each.stacks);
  const configs = new Set(stacks.map(configFileOf));
  const policyAndBaseline = findPolicyAndBaseline([...configs], scope, io);
  const touchedConfigs = touchesPolicy(change, policyAndBaseline, io)
    ? configs
    : withDependents(configsTouched(stacks, change, io), stacks);
  const allNames = namesOf(stacks);
  const names = namesOf(stacks.filter((stack) => touchedConfigs.has(configFileOf(stack))));
  printText(
    io.stderr,
    `castellan: the change since ${change.ref} touches ${String(names.length)} of ${String(allNames.length)} stacks${names.length === 0 ? '' : `: ${names.join(', ')}`}\n`,
  );
  const loadedFiles = new Set(stacks.flatMap(({ files }) => files));
  const hasUnreadableConfig = loads.some(({ findings }) =>
    findings.some(({ location }) => location !== undefined && !loadedFiles.has(location.file)),
  );
  return {
    hasStacks: allNames.length > 0,
    hasTouchedStacks: names.length > 0 || hasUnreadableConfig,
    isTouched: (file) => touchedConfigs.has(file) || !configs.has(file),
  };
}

function namesOf(stacks: readonly LoadedStack[]): readonly string[] {
  return [...new Set(stacks.map((stack) => stackNameOf(stack) ?? configFileOf(stack)))];
}

function configFileOf({ files: [file = ''] }: LoadedStack): string {
  return file;
}

/** The stacks with the overlay of the environment, or with those of all. */
async function loadEnvironments(
  { paths, environment }: ChangeScope,
  { cwd }: CliIo,
): Promise<readonly LoadResult[]> {
  const base = await loadConfig({ paths, environment, cwd });
  if (environment !== undefined) return [base];
  const others = environmentsOfStacks(base.stacks, { cwd, files: diskFiles });
  const overlayLoads = others.map((each) => loadConfig({ paths, environment: each, cwd }));
  return [base, ...(await Promise.all(overlayLoads))];
}

/** The policy above the configurations, and the baseline beside it. */
function findPolicyAndBaseline(
  configFiles: readonly string[],
  { policy: file, baseline }: ChangeScope,
  { cwd }: CliIo,
): { readonly policy: LoadedPolicy; readonly baseline: string } {
  const policy = loadPolicy({ cwd, files: diskFiles, file, configFiles });
  const declared = policy.config.baseline;
  return {
    policy,
    baseline: baseline ?? baselinePath({ policyFile: policy.file, declaredFile: declared }),
  };
}

function touchesPolicy(
  { paths }: ChangedFiles,
  { policy, baseline }: ReturnType<typeof findPolicyAndBaseline>,
  { cwd }: CliIo,
): boolean {
  const folder = resolve(cwd, dirname(policy.file ?? '.'));
  const policyFiles = new Set([...policy.files, baseline].map((file) => resolve(cwd, file)));
  const environmentOf = baselineEnvironment(baseline);
  const baselineFolder = resolve(cwd, dirname(baseline));
  const isBaseline = (path: string): boolean =>
    dirname(path) === baselineFolder && environmentOf(path) !== undefined;
  const packs = (policy.config.packs ?? []).flatMap(({ file }) =>
    file === undefined ? [] : [dirname(resolve(folder, file))],
  );
  return [...paths].some(
    (path) =>
      policyFiles.has(path) ||
      isBaseline(path) ||
      [policyName, 'CODEOWNERS'].includes(basename(path)) ||
      packs.some((pack) => path.startsWith(join(pack, sep))),
  );
}

function configsTouched(
  stacks: readonly LoadedStack[],
  change: ChangedFiles,
  { cwd }: CliIo,
): ReadonlySet<string> {
  const changed = new Set([...change.paths].flatMap((path) => [path, withoutLinks(path)]));
  const pathsAndFolders = withParentFolders(changed);
  // of a submodule only its folder is among the changed paths
  const isWithinChangedPath = (path: string): boolean =>
    [...withParentFolders(new Set([path, withoutLinks(path)]))].some((each) => changed.has(each));
  const touchedConfigs = stacks.filter((stack) => {
    const { config, files } = stack;
    const [file = ''] = files;
    const folder = resolve(cwd, dirname(file));
    const accessTest = accessTestPath(stack);
    const people = peopleFileOf(accessTest, cwd);
    const namedPaths = [...possiblePathsIn(config)].map((path) =>
      withoutLinks(resolve(folder, path)),
    );
    return (
      [
        ...files,
        accessTest,
        join(dirname(file), defaultSeedName),
        ...(people === undefined ? [] : [people]),
      ].some((each) => isWithinChangedPath(resolve(cwd, each))) ||
      [...changed].some(isOverlayOrAccessTestOf(resolve(cwd, file))) ||
      namedPaths.some((path) => pathsAndFolders.has(path) || isWithinChangedPath(path))
    );
  });
  return new Set(touchedConfigs.map(configFileOf));
}

/** The file itself for a link to it; unchanged where there is nothing. */
function withoutLinks(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Tells by its name whether a file is an overlay or an access test of a configuration. */
function isOverlayOrAccessTestOf(config: string): (path: string) => boolean {
  const ending = extname(config);
  const start = `${config.slice(0, -ending.length)}.`;
  return (path) =>
    path.startsWith(start) && path.endsWith(ending) && dirname(path) === dirname(config);
}

/** Paths and the folders above them. */
function withParentFolders(paths: ReadonlySet<string>): ReadonlySet<string> {
  const pathsAndFolders = new Set<string>();
  for (const path of paths)
    for (let each = path; !pathsAndFolders.has(each); each = dirname(each))
      pathsAndFolders.add(each);
  return pathsAndFolders;
}

/** The texts of a declaration that may be relative paths; for a glob pattern, its folder. */
function* possiblePathsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (/^[^/\\\n\0][^\n\0]{0,500}$/.test(value))
      yield value.includes('*') ? dirname(value) : value;
  } else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* possiblePathsIn(each);
}

/** The touched configurations, and those of stacks that depend on them or have the same name. */
function withDependents(
  touchedConfigs: ReadonlySet<string>,
  stacks: readonly LoadedStack[],
): ReadonlySet<string> {
  const names = new Set(namesOf(stacks.filter((stack) => touchedConfigs.has(configFileOf(stack)))));
  const extended = new Set(touchedConfigs);
  for (const stack of stacks) {
    const { dependsOn } = (stack.config ?? {}) as { readonly dependsOn?: unknown };
    const dependencies: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : [];
    if ([stackNameOf(stack), ...dependencies].some((each) => names.has(each as string)))
      extended.add(configFileOf(stack));
  }
  return extended.size === touchedConfigs.size ? touchedConfigs : withDependents(extended, stacks);
}
