import { CastellanError } from '../core/errors/castellan-error.js';

/** The name of a stack, and its dependencies. */
export interface StackWithDependencies {
  /** The name of the stack. */
  readonly name: string;
  /** The names of the stacks that are applied before it. */
  readonly dependsOn: readonly string[];
}

/**
 * Sorts stacks after their dependencies, otherwise in the given order. A dependency that is not in
 * the list was applied before.
 *
 * @throws CAS2008 with the cycle, if there is one; CAS2009 when two stacks have one name.
 */
export function orderStacks<Stack extends StackWithDependencies>(
  stacks: readonly Stack[],
): Stack[] {
  const byName = new Map<string, Stack>();
  for (const stack of stacks) {
    if (byName.has(stack.name))
      throw new CastellanError('CAS2009', `two stacks are named ${stack.name}`);
    byName.set(stack.name, stack);
  }
  const visited = new Set<string>();
  const sorted: Stack[] = [];
  const visit = (stack: Stack, dependents: readonly string[]): void => {
    if (visited.has(stack.name)) return;
    const path = [...dependents, stack.name];
    if (dependents.includes(stack.name))
      throw new CastellanError(
        'CAS2008',
        `stacks depend on each other: ${path.slice(path.indexOf(stack.name)).join(' -> ')}`,
      );
    for (const name of stack.dependsOn) {
      const other = byName.get(name);
      if (other !== undefined) visit(other, path);
    }
    visited.add(stack.name);
    sorted.push(stack);
  };
  for (const stack of stacks) visit(stack, []);
  return sorted;
}

/**
 * Groups stacks into batches: the stacks of a batch are independent of each other and run in
 * parallel, after their dependencies.
 *
 * @throws as {@link orderStacks} does.
 */
export function parallelBatches<Stack extends StackWithDependencies>(
  stacks: readonly Stack[],
): Stack[][] {
  const batchOf = new Map<string, number>();
  const batches: Stack[][] = [];
  for (const stack of orderStacks(stacks)) {
    const batch = Math.max(-1, ...stack.dependsOn.map((name) => batchOf.get(name) ?? -1)) + 1;
    batchOf.set(stack.name, batch);
    (batches[batch] ??= []).push(stack);
  }
  return batches;
}
