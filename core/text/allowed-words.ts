import { nearestOf } from './nearest.js';

/** Up to so many words are listed whole. */
const mostListed = 12;
/** Of more, so many that look like what was given. */
const mostLikely = 5;

/**
 * A list of allowed words for a message, never cut off in the middle: all of them, or the five that look most like what was given and
 * where the others are listed.
 *
 * @param page the page of the documentation that lists all: `docs/reference/eventstreams.md`.
 */
export function allowedWords(given: unknown, words: readonly string[], page: string): string {
  if (words.length <= mostListed) return words.join(', ');
  const likely = typeof given === 'string' ? nearestOf(given, words, mostLikely) : words.slice(0, mostLikely);
  return `${likely.join(', ')} (${likely.length} of ${words.length}; ${page} lists all)`;
}
