import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { Problem } from '../../core/source/problem.js';
import { brokenReference } from '../../core/yaml/environment-reference.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { BackendProps } from '../../kinds/stack/backend.js';
import { environmentsOfStacks, type WorkingFolder } from './environments.js';
import type { LoadedStack } from './loaded-stack.js';

/** Where the backend of a stack keeps its Terraform state. */
interface StateLocation {
  /** The value of the setting that must differ between environments. */
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
    const state = stateLocation(stack);
    if (state === undefined || brokenReference(state.name) !== undefined) continue;
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
      if (counterpart !== undefined && stateLocation(counterpart)?.identity === state.identity)
        sharedWith.push(otherEnvironment);
    }
    const location = stack.locate(state.path);
    if (sharedWith.length === 0 || location === undefined) continue;
    const message = `the environments ${[environment, ...sharedWith].sort().join(', ')} share the state "${state.name}": write \${castellan.environment} into backend.${state.path.slice(1).join('.')}`;
    problems.push({ id: 'config-backend', message, location });
  }
  return problems;
}

function stackName({ config }: LoadedStack): unknown {
  return (config as { readonly stack?: unknown } | null)?.stack;
}

/**
 * Where the state is; undefined without a backend, since each environment then has its own file.
 */
function stateLocation({ config }: LoadedStack): StateLocation | undefined {
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
    ? { name: local.path, path: ['backend', 'local', 'path'], identity: local.path }
    : undefined;
}
