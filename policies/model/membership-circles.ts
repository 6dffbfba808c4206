/** The memberships: the names contained in each name. */
export type Containment = ReadonlyMap<string, readonly string[]>;

/**
 * The membership cycles: for each set of names that reach each other one cycle, the shortest
 * through the alphabetically first name, by that name. Takes time in proportion to the number of
 * memberships.
 */
export function circlesIn(below: Containment): ReadonlyMap<string, readonly string[]> {
  const circles = new Map<string, readonly string[]>();
  for (const together of reachingEachOther(below)) {
    const first = [...together].sort()[0] ?? '';
    const circle = circleThrough(first, below, together);
    if (circle !== undefined) circles.set(first, circle);
  }
  return circles;
}

/**
 * The sets of at least two names that reach each other (Tarjan's algorithm, without recursion: a
 * chain may have any length).
 */
function reachingEachOther(below: Containment): readonly ReadonlySet<string>[] {
  const circles: ReadonlySet<string>[] = [];
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
    const way = [enter(start)];
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const { name } = top;
      const next = below.get(name)?.[top.next++];
      if (next !== undefined) {
        if (!below.has(next)) continue;
        if (!order.has(next)) way.push(enter(next));
        else if (isOpen.has(next)) lower(name, order.get(next) ?? 0);
        continue;
      }
      way.pop();
      const above = way.at(-1);
      if (above !== undefined) lower(above.name, lowest.get(name) ?? 0);
      if (lowest.get(name) !== order.get(name)) continue;
      const together = new Set(open.splice(open.lastIndexOf(name)));
      for (const each of together) isOpen.delete(each);
      if (together.size > 1) circles.push(together);
    }
  }
  return circles;
}

/** The shortest cycle through a name, searched breadth-first. */
function circleThrough(
  start: string,
  below: Containment,
  together: ReadonlySet<string>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of below.get(name) ?? []) {
      if (next === start && name !== start) return [start, ...wayTo(name, start, cameFrom), start];
      if (next === start || cameFrom.has(next) || !together.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(
  name: string,
  start: string,
  cameFrom: ReadonlyMap<string, string>,
): readonly string[] {
  const way: string[] = [];
  for (
    let each: string | undefined = name;
    each !== undefined && each !== start;
    each = cameFrom.get(each)
  )
    way.push(each);
  return way.reverse();
}
