/** The memberships: the names contained in each name. */
export type Containment = ReadonlyMap<string, readonly string[]>;

/**
 * The membership cycles: for each set of names that reach each other one cycle, the shortest
 * through the alphabetically first name, by that name. Takes time in proportion to the number of
 * memberships.
 */
export function findCycles(containment: Containment): ReadonlyMap<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  for (const component of stronglyConnected(containment)) {
    const first = [...component].sort()[0] ?? '';
    const cycle = cycleThrough(first, containment, component);
    if (cycle !== undefined) cycles.set(first, cycle);
  }
  return cycles;
}

/**
 * The sets of at least two names that reach each other (Tarjan's algorithm, without recursion: a
 * chain may have any length).
 */
function stronglyConnected(containment: Containment): readonly ReadonlySet<string>[] {
  const components: ReadonlySet<string>[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const openNames: string[] = [];
  const openSet = new Set<string>();
  const enter = (name: string): { readonly name: string; nextIndex: number } => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    openNames.push(name);
    openSet.add(name);
    return { name, nextIndex: 0 };
  };
  const lowerTo = (name: string, to: number): void =>
    void lowest.set(name, Math.min(lowest.get(name) ?? to, to));
  for (const start of containment.keys()) {
    if (order.has(start)) continue;
    const callStack = [enter(start)];
    for (let top = callStack.at(-1); top !== undefined; top = callStack.at(-1)) {
      const { name } = top;
      const contained = containment.get(name)?.[top.nextIndex++];
      if (contained !== undefined) {
        if (!containment.has(contained)) continue;
        if (!order.has(contained)) callStack.push(enter(contained));
        else if (openSet.has(contained)) lowerTo(name, order.get(contained) ?? 0);
        continue;
      }
      callStack.pop();
      const above = callStack.at(-1);
      if (above !== undefined) lowerTo(above.name, lowest.get(name) ?? 0);
      if (lowest.get(name) !== order.get(name)) continue;
      const component = new Set(openNames.splice(openNames.lastIndexOf(name)));
      for (const each of component) openSet.delete(each);
      if (component.size > 1) components.push(component);
    }
  }
  return components;
}

/** The shortest cycle through a name, searched breadth-first. */
function cycleThrough(
  start: string,
  containment: Containment,
  component: ReadonlySet<string>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const contained of containment.get(name) ?? []) {
      if (contained === start && name !== start)
        return [start, ...pathTo(name, start, cameFrom), start];
      if (contained === start || cameFrom.has(contained) || !component.has(contained)) continue;
      cameFrom.set(contained, name);
      queue.push(contained);
    }
  }
  return undefined;
}

function pathTo(
  name: string,
  start: string,
  cameFrom: ReadonlyMap<string, string>,
): readonly string[] {
  const path: string[] = [];
  for (
    let each: string | undefined = name;
    each !== undefined && each !== start;
    each = cameFrom.get(each)
  )
    path.push(each);
  return path.reverse();
}
