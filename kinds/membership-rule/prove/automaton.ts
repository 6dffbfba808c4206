/** A deterministic automaton over code points. State -1 accepts nothing any more. */
export interface Automaton {
  readonly start: number;
  /** The code points at which the symbol may change, in order, from 0. */
  readonly boundaries: readonly number[];
  symbolOf(codePoint: number): number;
  next(state: number, symbol: number): number;
  accepts(state: number): boolean;
  /** Whether a state accepts whatever follows. */
  isUniversal(state: number): boolean;
  /** Whether what it says of letters outside ASCII is read differently by regular expressions. */
  readonly isAsciiOnly?: boolean;
}

/** Whether an automaton accepts a text. */
export function acceptsText(
  { start, symbolOf, next, accepts }: Pick<Automaton, 'start' | 'symbolOf' | 'next' | 'accepts'>,
  text: string,
): boolean {
  let state = start;
  for (const letter of text)
    state = state < 0 ? state : next(state, symbolOf(letter.codePointAt(0) ?? 0));
  return state >= 0 && accepts(state);
}

/** The comparisons of texts with constants. */
export type TextOperator = 'eq' | 'startsWith' | 'endsWith' | 'contains';

/**
 * Small letters of which another letter's spelling depends on its neighbours, or is two letters.
 */
const irregular = /[\u03a3\u03c3\u03c2\u0307\u0130]/;
const dottedI = 0x130;

/**
 * The texts that compare with a constant as the directory does: by their small letters. Undefined
 * for a constant with letters whose case depends on their neighbours.
 */
export function textAutomaton(operator: TextOperator, constant: string): Automaton | undefined {
  const wanted = [...constant.toLowerCase()];
  if (irregular.test(constant)) return undefined;
  const end = wanted.length;
  const symbols = new Map<number, number>();
  const letters = [...new Set(wanted)];
  letters.forEach((letter, symbol) => {
    for (const codePoint of spellingsOf(letter)) symbols.set(codePoint, symbol);
  });
  const other = letters.length;
  const dotted = letters.length + 1;
  // its small form is an i and a dot, which is like any other letter where no i is wanted
  const small = letters.indexOf('i');
  if (small >= 0) symbols.set(dottedI, dotted);
  const isOpenEnd = operator === 'startsWith' || operator === 'contains';
  const isOpenStart = operator === 'endsWith' || operator === 'contains';
  const back = isOpenStart ? fallbacks(wanted) : [];
  const step = (from: number, symbol: number): number => {
    if (from < 0 || (isOpenEnd && from === end)) return from;
    for (let state = from; ; state = back[state] ?? 0) {
      if (state < end && wanted[state] === letters[symbol] && symbol < other) return state + 1;
      if (!isOpenStart) return -1;
      if (state === 0) return 0;
    }
  };
  return {
    start: 0,
    boundaries: around([...symbols.keys()]),
    symbolOf: (codePoint) => symbols.get(codePoint) ?? other,
    next: (state, symbol) =>
      symbol === dotted ? step(step(state, small), other) : step(state, symbol),
    accepts: (state) => state === end,
    isUniversal: (state) => isOpenEnd && state === end,
  };
}

/** For each number of letters read, the longest shorter beginning that also ends there. */
function fallbacks(wanted: readonly string[]): number[] {
  const back = [0, 0];
  for (let length = 1; length < wanted.length; length++) {
    let state = back[length] ?? 0;
    while (state > 0 && wanted[state] !== wanted[length]) state = back[state] ?? 0;
    back.push(wanted[state] === wanted[length] ? state + 1 : 0);
  }
  return back;
}

/** Boundaries that separate single code points from all others. */
function around(codePoints: readonly number[]): number[] {
  return [...new Set([0, ...codePoints.flatMap((each) => [each, each + 1])])].sort((a, b) => a - b);
}

let inverse: Map<string, number[]> | undefined;

/** The code points with a small letter. */
function spellingsOf(letter: string): readonly number[] {
  const own = letter.codePointAt(0) ?? 0;
  if (own < 0x80) {
    const capital = letter.toUpperCase().codePointAt(0) ?? own;
    return letter === 'k' ? [own, capital, 0x212a] : [own, capital];
  }
  if (inverse === undefined) {
    inverse = new Map();
    for (let codePoint = 0x80; codePoint < 0x1_f000; codePoint++) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const text = String.fromCodePoint(codePoint);
      const small = text.toLowerCase();
      if (small !== text) inverse.set(small, [...(inverse.get(small) ?? []), codePoint]);
    }
  }
  return [own, ...(inverse.get(letter) ?? [])];
}
