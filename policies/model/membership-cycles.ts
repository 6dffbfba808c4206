/** The memberships: the names contained in each name. */
export type Containment = ReadonlyMap<string, readonly string[]>;

/**
 * The membership cycles: for each set of names that reach each other one cycle, the shortest
 * through the alphabetically first name, by that name. Takes time in proportion to the number of
 * memberships.
 */
export function findCycles(below: Containment): ReadonlyMap<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  for (const component of stronglyConnected(below)) {
    const first = [...component].sort()[0] ?? '';
    const cycle = cycleThrough(first, below, component);
    if (cycle !== undefined) cycles.set(first, cycle);
  }
  return cycles;
}

/**
 * The sets of at least two names that reach each other (Tarjan's algorithm, without recursion: a
 * chain may have any length).
 */
function stronglyConnected(below: Containment): readonly ReadonlySet<string>[] {
  const components: ReadonlySet<string>[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const enter = (name: string): { readonly name: string; next: number } => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    open.push(name);
    isOpen.add(name);
    return { name, next: 0 };
  };
  const lower = (name: string, to: number): void =>
    void lowest.set(name, Math.min(lowest.get(name) ?? to, to));
  for (const start of below.keys()) {
    if (order.has(start)) continue;
    const callStack = [enter(start)];
    for (let top = callStack.at(-1); top !== undefined; top = callStack.at(-1)) {
      const { name } = top;
      const next = below.get(name)?.[top.next++];
      if (next !== undefined) {
        if (!below.has(next)) continue;
        if (!order.has(next)) callStack.push(enter(next));
        else if (isOpen.has(next)) lower(name, order.get(next) ?? 0);
        continue;
      }
      callStack.pop();
      const above = callStack.at(-1);
      if (above !== undefined) lower(above.name, lowest.get(name) ?? 0);
      if (lowest.get(name) !== order.get(name)) continue;
      const component = new Set(open.splice(open.lastIndexOf(name)));
      for (const each of component) isOpen.delete(each);
      if (component.size > 1) components.push(component);
    }
  }
  return components;
}

/** The shortest cycle through a name, searched breadth-first. */
function cycleThrough(
  start: string,
  below: Containment,
  component: ReadonlySet<string>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of below.get(name) ?? []) {
      if (next === start && name !== start) return [start, ...pathTo(name, start, cameFrom), start];
      if (next === start || cameFrom.has(next) || !component.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
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
