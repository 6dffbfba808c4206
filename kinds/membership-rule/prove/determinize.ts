import type * as Refa from 'refa';

/** A deterministic automaton as a table. State 0 is the first; from -1 nothing is accepted. */
export interface StateTable {
  /** The code points at which the symbol changes, in order, from 0. */
  readonly boundaries: readonly number[];
  /** The next state, by state and symbol. */
  readonly next: readonly (readonly number[])[];
  readonly finals: ReadonlySet<number>;
}

/**
 * Makes refa's automaton deterministic. refa can, too, in ten times the time, most of which it
 * minimizes: here only states go from which nothing is accepted.
 *
 * @returns undefined for one that would have more states than `most`
 */
export function determinize(nfa: Refa.NFA, most: number): StateTable | undefined {
  const nodes = [...nfa.nodes()];
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const boundaries = boundariesOf(nodes);
  const symbols = new Map(boundaries.map((codePoint, symbol) => [codePoint, symbol]));
  const targets = nodes.map(({ out }) => {
    const bySymbol = boundaries.map((): number[] => []);
    for (const [node, { ranges }] of out)
      for (const { min, max } of ranges) {
        const first = symbols.get(min) ?? 0;
        const beyond = symbols.get(max + 1) ?? boundaries.length;
        for (const list of bySymbol.slice(first, beyond)) list.push(numbers.get(node) ?? -1);
      }
    return bySymbol;
  });
  const states: (readonly number[])[] = [];
  const known = new Map<string, number>();
  const stateOf = (set: readonly number[]): number => {
    const key = set.join();
    const state = known.get(key);
    if (state !== undefined) return state;
    known.set(key, states.length);
    return states.push(set) - 1;
  };
  stateOf([numbers.get(nfa.initial) ?? 0]);
  const next: number[][] = [];
  for (let state = 0; state < states.length; state++) {
    if (states.length > most) return undefined;
    const row = boundaries.map((_codePoint, symbol) => {
      const reached = new Set(
        (states[state] ?? []).flatMap((node) => targets[node]?.[symbol] ?? []),
      );
      return stateOf([...reached].sort((a, b) => a - b));
    });
    next.push(row);
  }
  const isFinal = nodes.map((node) => nfa.finals.has(node));
  const finals = new Set(
    states.flatMap((set, state) => (set.some((node) => isFinal[node]) ? [state] : [])),
  );
  const alive = leadingTo(finals, next);
  return {
    boundaries,
    next: next.map((row) => row.map((state) => (alive.has(state) ? state : -1))),
    finals,
  };
}

function boundariesOf(nodes: readonly Refa.NFA.ReadonlyNode[]): readonly number[] {
  const ranges = nodes.flatMap(({ out }) => [...out.values()].flatMap((set) => set.ranges));
  const boundaries = new Set([0, ...ranges.flatMap(({ min, max }) => [min, max + 1])]);
  return [...boundaries].sort((a, b) => a - b);
}

/** The states from which one of these is reached. */
function leadingTo(
  finals: ReadonlySet<number>,
  next: readonly (readonly number[])[],
): ReadonlySet<number> {
  const before = next.map((): number[] => []);
  next.forEach((row, state) => {
    for (const reached of new Set(row)) before[reached]?.push(state);
  });
  const leading = new Set(finals);
  // a set's iterator comes to what is added on the way
  for (const state of leading) for (const earlier of before[state] ?? []) leading.add(earlier);
  return leading;
}
