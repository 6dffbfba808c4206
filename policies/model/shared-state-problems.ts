import { dirname, resolve } from 'node:path';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { Problem } from '../../core/source/problem.js';
import { brokenReference } from '../../core/yaml/environment-reference.js';
import { appendAll } from '../../core/values/append.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { BackendProps } from '../../kinds/stack/backend.js';
import { environmentsOfStacks, type WorkingFolder } from './environments.js';
import type { LoadedStack } from './loaded-stack.js';

/** Where the backend of a stack keeps its Terraform state. */
interface StateLocation {
  /** The value of the setting that must differ between stacks and environments. */
  readonly name: string;
  /** The path of that setting in the configuration. */
  readonly path: ConfigPath;
  /** Equal for two backends that keep the same state. */
  readonly identity: string;
}

/**
 * Reports Terraform states that two environments of a stack share: each would plan to delete what the
 * other declares.
 *
 * @param loadStacks loads the same stacks in another environment.
 */
export function sharedStateProblems(
  stacks: readonly LoadedStack[],
  loadStacks: (environment: string) => readonly LoadedStack[],
  workingFolder: WorkingFolder,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const stack of stacks) {
    const state = stateLocation(stack, workingFolder);
    if (state === undefined) continue;
    const sharedWith: string[] = [];
    const environment = stack.environment ?? defaultEnvironment;
    for (const otherEnvironment of [
      defaultEnvironment,
      ...environmentsOfStacks([stack], workingFolder),
    ]) {
      if (otherEnvironment === environment) continue;
      const counterpart = loadStacks(otherEnvironment).find(
        (each) => stackName(each) === stackName(stack),
      );
      if (
        counterpart !== undefined &&
        stateLocation(counterpart, workingFolder)?.identity === state.identity
      )
        sharedWith.push(otherEnvironment);
    }
    if (sharedWith.length === 0) continue;
    const environments = [environment, ...sharedWith].sort().join(', ');
    appendAll(problems, problemAt(stack, state, `environments ${environments}`, 'environment'));
  }
  return problems;
}

/**
 * Reports stacks that keep the same Terraform state: each would plan to delete the other's.
 *
 * @param reported the stacks at which a problem may be reported, which come after the others.
 */
export function stateOfSeveralStacksProblems(
  stacks: readonly LoadedStack[],
  reported: ReadonlySet<LoadedStack>,
  workingFolder: WorkingFolder,
): readonly Problem[] {
  const firstByState = new Map<string, LoadedStack>();
  const problems: Problem[] = [];
  for (const stack of stacks) {
    const state = stateLocation(stack, workingFolder);
    if (state === undefined) continue;
    const first = firstByState.get(state.identity);
    if (first === undefined) firstByState.set(state.identity, stack);
    // another problem reports stacks of one name
    else if (stackName(first) !== stackName(stack) && reported.has(stack)) {
      const names = `stacks ${String(stackName(first))} and ${String(stackName(stack))}`;
      appendAll(problems, problemAt(stack, state, names, 'stack'));
    }
  }
  return problems;
}

/** The problem of a shared state; none where it comes from no file. */
function problemAt(
  stack: LoadedStack,
  { name, path }: StateLocation,
  sharedBy: string,
  reference: 'environment' | 'stack',
): readonly Problem[] {
  const location = stack.locate(path);
  if (location === undefined) return [];
  const message = `the ${sharedBy} share the state "${name}": write \${castellan.${reference}} into ${path.join('.')}`;
  return [{ id: 'config-backend', message, location }];
}

function stackName({ config }: LoadedStack): unknown {
  return (config as { readonly stack?: unknown } | null)?.stack;
}

/**
 * Where the state is; undefined without a backend, since each stack and environment then has its own
 * file, and for a name with a reference of the wrong form, which another problem reports.
 */
function stateLocation(
  stack: LoadedStack,
  workingFolder: WorkingFolder,
): StateLocation | undefined {
  const state = declaredState(stack, workingFolder);
  return state === undefined || brokenReference(state.name) !== undefined ? undefined : state;
}

function declaredState(
  { config, files: [file = ''] }: LoadedStack,
  { cwd }: WorkingFolder,
): StateLocation | undefined {
  const backend = (config as { readonly backend?: Partial<BackendProps> } | null)?.backend;
  if (backend === null || typeof backend !== 'object') return undefined;
  const { azurerm, remote, local } = backend;
  if (typeof azurerm?.key === 'string') {
    const { storageAccountName, containerName, key } = azurerm;
    return {
      name: key,
      path: ['backend', 'azurerm', 'key'],
      identity: JSON.stringify([storageAccountName, containerName, key]),
    };
  }
  const workspaces = remote?.workspaces;
  const property = workspaces?.name === undefined ? 'prefix' : 'name';
  const workspace = workspaces?.[property];
  if (remote !== undefined && typeof workspace === 'string') {
    const path = ['backend', 'remote', 'workspaces', property];
    return {
      name: workspace,
      path,
      identity: JSON.stringify([remote.hostname, remote.organization, property, workspace]),
    };
  }
  return typeof local?.path === 'string'
    ? {
        name: local.path,
        path: ['backend', 'local', 'path'],
        identity: resolve(cwd, dirname(file), local.path),
      }
    : undefined;
}
