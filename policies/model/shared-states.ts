import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { Problem } from '../../core/source/problem.js';
import { brokenReference } from '../../core/yaml/environment-reference.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { BackendProps } from '../../kinds/stack/backend.js';
import { environmentsOfStacks, type WorkingFolder } from './environments.js';
import type { LoadedStack } from './loaded-stack.js';

/** Where a stack keeps its state, and the setting that must differ between environments. */
interface StatePlace {
  readonly name: string;
  readonly path: ConfigPath;
  readonly identity: string;
}

/**
 * Finds states that two environments of a stack share: each would plan to delete the declarations
 * of the other.
 *
 * @param loadOther loads the same stacks in another environment.
 */
export function sharedStates(
  stacks: readonly LoadedStack[],
  loadOther: (environment: string) => readonly LoadedStack[],
  workingFolder: WorkingFolder,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const stack of stacks) {
    const place = statePlace(stack);
    if (place === undefined || brokenReference(place.name) !== undefined) continue;
    const sharing: string[] = [];
    const own = stack.environment ?? defaultEnvironment;
    for (const other of [defaultEnvironment, ...environmentsOfStacks([stack], workingFolder)]) {
      if (other === own) continue;
      const same = loadOther(other).find((each) => stackName(each) === stackName(stack));
      if (same !== undefined && statePlace(same)?.identity === place.identity) sharing.push(other);
    }
    const location = stack.locate(place.path);
    if (sharing.length === 0 || location === undefined) continue;
    const message = `the environments ${[own, ...sharing].sort().join(', ')} share the state "${place.name}": write \${castellan.environment} into backend.${place.path.slice(1).join('.')}`;
    problems.push({ id: 'config-backend', message, location });
  }
  return problems;
}

function stackName({ config }: LoadedStack): unknown {
  return (config as { readonly stack?: unknown } | null)?.stack;
}

/**
 * The configured state; undefined without a backend, since each environment then has its own file.
 */
function statePlace({ config }: LoadedStack): StatePlace | undefined {
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
