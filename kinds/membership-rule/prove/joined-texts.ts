import type { Atom } from './atom.js';
import type { Effort } from './effort.js';
import { codePointClasses } from './code-point-classes.js';

/** A text that fulfils a condition, to be joined with others. */
export interface Piece {
  readonly atom: Atom;
  readonly text: string;
}

const separators = ['', ' ', '-', '0'];
/** Characters that are put before and after a text to see whether it still fulfils its condition. */
const testCharacters = ['a', '0'];

/** The shortest text that fulfils a condition; undefined if there is none. */
export function pieceOf(atom: Atom, effort: Effort): Piece | undefined {
  const text = shortestText(atom, effort);
  return text === undefined || !atom.test(text) ? undefined : { atom, text };
}

/**
 * Texts that may fulfil many conditions at once: each text that nothing may precede or follow, and
 * all others joined: first those that nothing may precede, last those that nothing may follow.
 */
export function joinedTexts(pieces: readonly Piece[]): readonly string[] {
  const longestFirst = [...pieces].sort((a, b) => b.text.length - a.text.length);
  const texts = separators.flatMap((separator) => joinedBy(separator, longestFirst));
  return [...new Set(texts)];
}

function joinedBy(separator: string, pieces: readonly Piece[]): readonly string[] {
  const [whole, starts, middles, ends] = [[], [], [], []] as [Piece[], Piece[], Piece[], Piece[]];
  for (const piece of pieces) {
    const { atom, text } = piece;
    const mayFollow = testCharacters.every((character) => atom.test(character + separator + text));
    const mayPrecede = testCharacters.every((character) => atom.test(text + separator + character));
    if (mayFollow) (mayPrecede ? middles : ends).push(piece);
    else (mayPrecede ? starts : whole).push(piece);
  }
  const joined: string[] = [];
  for (const { atom, text } of [...starts, ...middles])
    if (!atom.test(joined.join(separator))) joined.push(text);
  joined.push(...ends.reverse().map(({ text }) => text));
  return [...whole.map(({ text }) => text), ...(joined.length > 0 ? [joined.join(separator)] : [])];
}

function shortestText({ automaton }: Atom, effort: Effort): string | undefined {
  if (automaton === undefined) return undefined;
  const classes = codePointClasses([automaton]).filter(({ isPlain }) => isPlain);
  let frontier: readonly (readonly [state: number, text: string])[] = [[automaton.start, '']];
  const visited = new Set<number>();
  while (frontier.length > 0) {
    const next: [number, string][] = [];
    for (const [state, text] of frontier)
      for (const { codePoint, symbols } of classes) {
        effort.spend(1);
        const reached = automaton.next(state, symbols[0] ?? -1);
        if (reached < 0 || visited.has(reached)) continue;
        visited.add(reached);
        const longer = text + String.fromCodePoint(codePoint);
        if (automaton.accepts(reached)) return longer;
        next.push([reached, longer]);
      }
    frontier = next;
  }
  return undefined;
}
