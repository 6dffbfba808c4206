import { fold } from './compare.js';

/** A run of letters in one word: a capital after a small letter begins a new one; digits and symbols stand apart. */
const pieces = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{Lt}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/**
 * The words under which a text is found: split at blanks, symbols, digits and from small to capital letters. A word joined by symbols is
 * found joined as well (`hello-world`: hello, world, helloworld).
 */
export function indexTokens(text: string): readonly string[] {
  const tokens = new Set<string>();
  for (const word of text.split(/\s+/)) {
    const parts = split(word);
    for (const part of parts) tokens.add(part);
    const joined = fold(word.replace(/[^\p{L}\p{N}\p{M}]/gu, ''));
    if (parts.length > 1 && joined !== '' && joined.length < fold(word).length) tokens.add(joined);
  }
  return [...tokens];
}

/** The words that a search asks for; each must begin one of the text's. A search of symbols only asks for nothing that is there. */
export function searchTokens(text: string): readonly string[] {
  return text.split(/\s+/).flatMap(split);
}

/** The column that serves searches: every word behind a blank, so that `like '% sal%'` finds words that begin so. */
export function searchColumn(text: string | null | undefined): string {
  return text ? ` ${indexTokens(text).join(' ')}` : '';
}

function split(word: string): string[] {
  return (word.match(pieces) ?? []).map(fold);
}
