import { CastellanError } from '../core/errors/castellan-error.js';

/** A stack by its name, and the stacks that are applied before it. */
export interface OrderedStack {
  /** The name of the stack. */
  readonly name: string;
  /** The names of the stacks that are applied before it. */
  readonly dependsOn: readonly string[];
}

/**
 * Stacks in the order in which they are applied: after all they depend on, else as given. A dependency that isn't among them was
 * applied before.
 *
 * @throws CAS2008 with the circle, where there is one.
 */
export function orderStacks<Stack extends OrderedStack>(stacks: readonly Stack[]): Stack[] {
  const byName = new Map(stacks.map((stack) => [stack.name, stack]));
  const done = new Set<string>();
  const sorted: Stack[] = [];
  const visit = (stack: Stack, above: readonly string[]): void => {
    if (done.has(stack.name)) return;
    const path = [...above, stack.name];
    if (above.includes(stack.name))
      throw new CastellanError('CAS2008', `stacks depend on each other: ${path.slice(path.indexOf(stack.name)).join(' -> ')}`);
    for (const name of stack.dependsOn) {
      const other = byName.get(name);
      if (other !== undefined) visit(other, path);
    }
    done.add(stack.name);
    sorted.push(stack);
  };
  for (const stack of stacks) visit(stack, []);
  return sorted;
}

/**
 * Stacks in waves: those of one wave are independent of each other and run side by side, after all they depend on.
 *
 * @param sorted in the order in which they are applied.
 */
export function wavesOf<Stack extends OrderedStack>(sorted: readonly Stack[]): Stack[][] {
  const waveOf = new Map<string, number>();
  const waves: Stack[][] = [];
  for (const stack of sorted) {
    const wave = Math.max(-1, ...stack.dependsOn.map((name) => waveOf.get(name) ?? -1)) + 1;
    waveOf.set(stack.name, wave);
    (waves[wave] ??= []).push(stack);
  }
  return waves;
}
