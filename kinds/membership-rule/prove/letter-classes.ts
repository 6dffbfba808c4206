import type { Automaton } from './automaton.js';

/** Letters that no automaton of an attribute tells apart, by one of them. */
export interface LetterClass {
  readonly codePoint: number;
  /** Whether every reading of letter case agrees on it. */
  readonly isPlain: boolean;
  /** The symbol of each automaton. */
  readonly symbols: readonly number[];
}

/** Those that may be in values: no control characters, no halves of surrogate pairs. */
const allowed = [
  [0x20, 0x7e],
  [0xa0, 0xd7ff],
  [0xe000, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x1_0000, 0x1_fffd],
] as const;

/** Divides all letters into classes that the automata treat alike; readable letters first. */
export function letterClasses(automata: readonly Automaton[]): readonly LetterClass[] {
  const boundaries = [
    ...new Set([...automata.flatMap((each) => each.boundaries), ...allowed.flat()]),
  ].sort((a, b) => a - b);
  const isAsciiOnly = automata.some((each) => each.isAsciiOnly === true);
  const classes = new Map<string, LetterClass>();
  for (const [at, from] of boundaries.entries()) {
    const [first, last] = [from, (boundaries[at + 1] ?? 0x11_0000) - 1];
    const inside = allowed.find(([low, high]) => first <= high && last >= low);
    if (inside === undefined) continue;
    const symbols = automata.map((each) => each.symbolOf(first));
    const key = symbols.join();
    // a later letter outside ASCII is no better
    if (first > 0x7e && classes.get(key)?.isPlain === true) continue;
    const candidate = best(Math.max(first, inside[0]), Math.min(last, inside[1]), isAsciiOnly);
    const known = classes.get(key);
    if (known === undefined || rank(candidate) < rank(known))
      classes.set(key, { ...candidate, symbols });
  }
  return [...classes.values()].sort((a, b) => rank(a) - rank(b));
}

type Candidate = Pick<LetterClass, 'codePoint' | 'isPlain'>;

function best(first: number, last: number, isAsciiOnly: boolean): Candidate {
  const readable = [0x61, 0x78, 0x30].find((each) => each >= first && each <= last) ?? first;
  let chosen: Candidate | undefined;
  for (let codePoint = first; codePoint <= Math.min(last, first + 100); codePoint++) {
    const each = codePoint === first ? readable : codePoint;
    const candidate = { codePoint: each, isPlain: isPlain(each) && !(isAsciiOnly && each > 0x7e) };
    if (chosen === undefined || rank(candidate) < rank(chosen)) chosen = candidate;
    // outside ASCII any letter of undisputed case will do
    if (rank(chosen) < 200 || (chosen.isPlain && each > 0x7e)) break;
  }
  return chosen ?? { codePoint: first, isPlain: isPlain(first) };
}

/** Small letters, digits, capitals, other ASCII, the rest, letters of disputed case. */
function rank({ codePoint, isPlain: plain }: Candidate): number {
  if (!plain) return 10_000_000 + codePoint;
  if (codePoint >= 0x61 && codePoint <= 0x7a) return codePoint - 0x61;
  if (codePoint >= 0x30 && codePoint <= 0x39) return 100 + codePoint - 0x30;
  if (codePoint >= 0x41 && codePoint <= 0x5a) return 150 + codePoint - 0x41;
  return codePoint < 0x7f ? 200 + codePoint : 1_000 + codePoint;
}

/** Whether a constant or a pattern has letters that not every reading compares alike. */
export function hasAmbiguousLetters(text: string): boolean {
  const letters = [...text];
  return (
    letters.some((letter) => !isPlain(letter.codePointAt(0) ?? 0)) ||
    // the small form of a capital sigma depends on its neighbours
    letters.map((letter) => letter.toLowerCase()).join('') !== text.toLowerCase()
  );
}

/** Whether capital and small letter belong together in every reading: not so for ſ, İ and K. */
function isPlain(codePoint: number): boolean {
  if (codePoint < 0x7f) return true;
  const letter = String.fromCodePoint(codePoint);
  const small = letter.toLowerCase();
  const one = (text: string, otherwise: string): string =>
    [...text].length === 1 ? text : otherwise;
  const capital = one(letter.toUpperCase(), letter);
  return (
    [...small].length === 1 &&
    one(capital.toLowerCase(), letter) === small &&
    one(small.toUpperCase(), small) === capital
  );
}
