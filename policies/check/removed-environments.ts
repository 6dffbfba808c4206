import { currentPlace, type Move } from '../../kinds/stack/moved.js';
import type { Finding } from '../../core/findings/finding.js';
import type { FileAccess } from '../../core/source/file-access.js';
import { environmentsOfStacks } from '../model/environments.js';
import { loadConfig, type LoadOptions, type LoadResult } from '../model/load-config.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { checkRemovedEnvironment, stackNameOf, type StackContext } from './stack-checks.js';

/** A change, as far as it may remove environments. */
export interface EnvironmentChange {
  /** How the configurations before the change are loaded. */
  readonly loadOptions: LoadOptions & { readonly cwd: string; readonly files: FileAccess };
  /** The configurations as they are now, in contrast to those at the base commit. */
  readonly head: LoadResult;
  readonly headFiles: FileAccess;
  readonly moves: readonly Move[];
}

/** Reports the environments of stacks whose overlays a change deletes: no check loads them any more. */
export async function findingsOfRemovedEnvironments(
  stacks: readonly LoadedStack[],
  { loadOptions, head, headFiles, moves }: EnvironmentChange,
  context: StackContext,
): Promise<readonly Finding[]> {
  const { cwd, files } = loadOptions;
  const stacksByEnvironment = new Map<string, Set<string | undefined>>();
  for (const stack of stacks) {
    const name = stackNameOf(stack);
    const nameNow = name === undefined ? undefined : currentPlace(moves, { stack: name }).stack;
    const stacksNow = head.stacks.filter((each) => stackNameOf(each) === nameNow);
    const environmentsNow = environmentsOfStacks(stacksNow, { cwd, files: headFiles });
    for (const environment of environmentsOfStacks([stack], { cwd, files })) {
      if (environmentsNow.includes(environment)) continue;
      const names = stacksByEnvironment.get(environment) ?? new Set();
      stacksByEnvironment.set(environment, names.add(name));
    }
  }
  const findings: Finding[] = [];
  for (const [environment, names] of stacksByEnvironment) {
    const loaded = await loadConfig({ ...loadOptions, environment });
    for (const stack of loaded.stacks)
      // an overlay may be that of another stack of the file
      if (stack.environment === environment && names.has(stackNameOf(stack)))
        findings.push(...checkRemovedEnvironment(stack, environment, context));
  }
  return findings;
}
