/** A deterministic automaton over code points. From state -1, nothing is accepted. */
export interface Automaton {
  /** The state before the first code point. */
  readonly start: number;
  /** The code points at which the symbol may change, in order, from 0. */
  readonly boundaries: readonly number[];
  /** The symbol of a code point: code points that the automaton treats alike share one. */
  symbolOf(codePoint: number): number;
  /** The state after a code point with this symbol; -1 if no text that goes on is accepted. */
  next(state: number, symbol: number): number;
  /** Whether a text that ends in this state is accepted. */
  accepts(state: number): boolean;
  /** Whether a state accepts whatever follows. */
  isUniversal(state: number): boolean;
  /** Whether engines of regular expressions differ in which characters outside ASCII it accepts. */
  readonly differsOutsideAscii?: boolean;
}

/** Whether an automaton accepts a text. */
export function acceptsText(
  { start, symbolOf, next, accepts }: Pick<Automaton, 'start' | 'symbolOf' | 'next' | 'accepts'>,
  text: string,
): boolean {
  let state = start;
  for (const character of text)
    state = state < 0 ? state : next(state, symbolOf(character.codePointAt(0) ?? 0));
  return state >= 0 && accepts(state);
}

/** The comparisons of texts with constants. */
export type TextOperator = 'eq' | 'startsWith' | 'endsWith' | 'contains';

/** Letters whose lower case depends on the letters around them, or has two code points. */
const irregularCase = /[\u03a3\u03c3\u03c2\u0307\u0130]/;
const capitalDottedI = 0x130;

/**
 * Accepts the texts that compare with a constant, in lower case as the directory compares them.
 * Undefined for a constant with letters whose lower case is irregular.
 */
export function textAutomaton(operator: TextOperator, constant: string): Automaton | undefined {
  const constantCharacters = [...constant.toLowerCase()];
  if (irregularCase.test(constant)) return undefined;
  const end = constantCharacters.length;
  const symbols = new Map<number, number>();
  const distinctCharacters = [...new Set(constantCharacters)];
  distinctCharacters.forEach((character, symbol) => {
    for (const codePoint of codePointsOf(character)) symbols.set(codePoint, symbol);
  });
  const otherSymbol = distinctCharacters.length;
  const dottedISymbol = distinctCharacters.length + 1;
  // The lower case of İ is two code points: i and a combining dot. If the constant has no i, both
  // have the symbol of other characters.
  const symbolOfI = distinctCharacters.indexOf('i');
  if (symbolOfI >= 0) symbols.set(capitalDottedI, dottedISymbol);
  const isOpenEnd = operator === 'startsWith' || operator === 'contains';
  const isOpenStart = operator === 'endsWith' || operator === 'contains';
  const fallback = isOpenStart ? failureFunction(constantCharacters) : [];
  const step = (from: number, symbol: number): number => {
    if (from < 0 || (isOpenEnd && from === end)) return from;
    for (let state = from; ; state = fallback[state] ?? 0) {
      if (
        state < end &&
        constantCharacters[state] === distinctCharacters[symbol] &&
        symbol < otherSymbol
      )
        return state + 1;
      if (!isOpenStart) return -1;
      if (state === 0) return 0;
    }
  };
  return {
    start: 0,
    boundaries: boundariesAround([...symbols.keys()]),
    symbolOf: (codePoint) => symbols.get(codePoint) ?? otherSymbol,
    next: (state, symbol) =>
      symbol === dottedISymbol ? step(step(state, symbolOfI), otherSymbol) : step(state, symbol),
    accepts: (state) => state === end,
    isUniversal: (state) => isOpenEnd && state === end,
  };
}

/**
 * The failure function of Knuth, Morris and Pratt: for each number of characters read, the length of
 * the longest proper prefix that is also a suffix of them.
 */
function failureFunction(constantCharacters: readonly string[]): number[] {
  const back = [0, 0];
  for (let length = 1; length < constantCharacters.length; length++) {
    let state = back[length] ?? 0;
    while (state > 0 && constantCharacters[state] !== constantCharacters[length])
      state = back[state] ?? 0;
    back.push(constantCharacters[state] === constantCharacters[length] ? state + 1 : 0);
  }
  return back;
}

/** Boundaries that separate single code points from all others. */
function boundariesAround(codePoints: readonly number[]): number[] {
  return [...new Set([0, ...codePoints.flatMap((each) => [each, each + 1])])].sort((a, b) => a - b);
}

/** Its lower case is k. */
const kelvinSign = 0x212a;
/** No letter from here on has another lower case. */
const endOfCasedLetters = 0x1_f000;

let codePointsByLowerCase: Map<string, number[]> | undefined;

/** The code points whose lower case is a character, including its own. */
function codePointsOf(character: string): readonly number[] {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) {
    const capital = character.toUpperCase().codePointAt(0) ?? codePoint;
    return character === 'k' ? [codePoint, capital, kelvinSign] : [codePoint, capital];
  }
  if (codePointsByLowerCase === undefined) {
    codePointsByLowerCase = new Map();
    for (let codePoint = 0x80; codePoint < endOfCasedLetters; codePoint++) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const text = String.fromCodePoint(codePoint);
      const lowerCase = text.toLowerCase();
      if (lowerCase !== text)
        codePointsByLowerCase.set(lowerCase, [
          ...(codePointsByLowerCase.get(lowerCase) ?? []),
          codePoint,
        ]);
    }
  }
  return [codePoint, ...(codePointsByLowerCase.get(character) ?? [])];
}
