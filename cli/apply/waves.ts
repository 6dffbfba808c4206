/** A stack by its name, and what is applied before it. */
interface Ordered {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/**
 * Stacks in waves: those of one wave are independent of each other and run side by side, after all they depend on.
 *
 * @param ordered in the order in which they are applied.
 */
export function wavesOf<Stack extends Ordered>(ordered: readonly Stack[]): Stack[][] {
  const waveOf = new Map<string, number>();
  const waves: Stack[][] = [];
  for (const stack of ordered) {
    const wave = Math.max(-1, ...stack.dependsOn.map((name) => waveOf.get(name) ?? -1)) + 1;
    waveOf.set(stack.name, wave);
    (waves[wave] ??= []).push(stack);
  }
  return waves;
}
