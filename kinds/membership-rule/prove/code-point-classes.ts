import type { Automaton } from './automaton.js';

/** Code points that every automaton of an attribute treats alike, represented by one of them. */
export interface CodePointClass {
  /** The one that represents the others, readable if possible. */
  readonly codePoint: number;
  /** Whether every interpretation of letter case agrees on it. */
  readonly isPlain: boolean;
  /** The symbol of each automaton. */
  readonly symbols: readonly number[];
}

/** The code points that values may contain: no control characters, no surrogates. */
const allowedRanges = [
  [0x20, 0x7e],
  [0xa0, 0xd7ff],
  [0xe000, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x1_0000, 0x1_fffd],
] as const;

/** Divides all code points into classes that the automata treat alike; readable ones first. */
export function codePointClasses(automata: readonly Automaton[]): readonly CodePointClass[] {
  const boundaries = [
    ...new Set([...automata.flatMap((each) => each.boundaries), ...allowedRanges.flat()]),
  ].sort((a, b) => a - b);
  const prefersAscii = automata.some((each) => each.differsOutsideAscii === true);
  const classes = new Map<string, CodePointClass>();
  for (const [index, from] of boundaries.entries()) {
    const [first, last] = [from, (boundaries[index + 1] ?? 0x11_0000) - 1];
    const allowedRange = allowedRanges.find(([low, high]) => first <= high && last >= low);
    if (allowedRange === undefined) continue;
    const symbols = automata.map((each) => each.symbolOf(first));
    const key = symbols.join();
    // a later code point outside ASCII has no lower rank
    if (first > 0x7e && classes.get(key)?.isPlain === true) continue;
    const candidate = bestRepresentative(
      Math.max(first, allowedRange[0]),
      Math.min(last, allowedRange[1]),
      prefersAscii,
    );
    const existing = classes.get(key);
    if (existing === undefined || rank(candidate) < rank(existing))
      classes.set(key, { ...candidate, symbols });
  }
  return [...classes.values()].sort((a, b) => rank(a) - rank(b));
}

/** How many code points of a range are compared at most. */
const maxCandidates = 100;
/** Lower-case letters, digits and capitals of ASCII have ranks below this. */
const endOfAlphanumericRanks = 200;

type Candidate = Pick<CodePointClass, 'codePoint' | 'isPlain'>;

function bestRepresentative(first: number, last: number, prefersAscii: boolean): Candidate {
  const readable =
    ['a', 'x', '0']
      .map((character) => character.charCodeAt(0))
      .find((each) => each >= first && each <= last) ?? first;
  let chosen: Candidate | undefined;
  for (let codePoint = first; codePoint <= Math.min(last, first + maxCandidates); codePoint++) {
    const each = codePoint === first ? readable : codePoint;
    const candidate = { codePoint: each, isPlain: isPlain(each) && !(prefersAscii && each > 0x7e) };
    if (chosen === undefined || rank(candidate) < rank(chosen)) chosen = candidate;
    // outside ASCII, any code point on whose case all interpretations agree is good enough
    if (rank(chosen) < endOfAlphanumericRanks || (chosen.isPlain && each > 0x7e)) break;
  }
  return chosen ?? { codePoint: first, isPlain: isPlain(first) };
}

/**
 * The order in which code points are preferred: lower-case letters, digits, capitals, other ASCII, the
 * rest, and last those on whose case interpretations differ.
 */
function rank({ codePoint, isPlain: plain }: Candidate): number {
  if (!plain) return 10_000_000 + codePoint;
  if (codePoint >= 0x61 && codePoint <= 0x7a) return codePoint - 0x61;
  if (codePoint >= 0x30 && codePoint <= 0x39) return 100 + codePoint - 0x30;
  if (codePoint >= 0x41 && codePoint <= 0x5a) return 150 + codePoint - 0x41;
  return codePoint < 0x7f ? endOfAlphanumericRanks + codePoint : 1_000 + codePoint;
}

/** Whether a constant or a pattern has letters that interpretations compare differently. */
export function hasAmbiguousLetters(text: string): boolean {
  const letters = [...text];
  return (
    letters.some((letter) => !isPlain(letter.codePointAt(0) ?? 0)) ||
    // the lower case of a capital sigma depends on the letters around it
    letters.map((letter) => letter.toLowerCase()).join('') !== text.toLowerCase()
  );
}

/**
 * Whether upper and lower case of a letter map to each other, unlike those of ſ, İ and the Kelvin
 * K.
 */
function isPlain(codePoint: number): boolean {
  if (codePoint < 0x7f) return true;
  const letter = String.fromCodePoint(codePoint);
  const lower = letter.toLowerCase();
  const ifSingle = (text: string, otherwise: string): string =>
    [...text].length === 1 ? text : otherwise;
  const capital = ifSingle(letter.toUpperCase(), letter);
  return (
    [...lower].length === 1 &&
    ifSingle(capital.toLowerCase(), letter) === lower &&
    ifSingle(lower.toUpperCase(), lower) === capital
  );
}
