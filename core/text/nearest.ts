/**
 * The allowed word that was most likely meant: the closest by edit distance, if it is close enough.
 *
 * @param input the given word.
 * @param allowed the allowed words.
 */
export function nearest(input: string, allowed: Iterable<string>): string | undefined {
  let best: string | undefined;
  let distanceLimit = (input.length < 4 ? 1 : Math.max(2, Math.floor(input.length / 3))) + 1;
  for (const word of allowed) {
    const distance = editDistance(input.toLowerCase(), word.toLowerCase(), distanceLimit);
    if (distance < distanceLimit) [best, distanceLimit] = [word, distance];
  }
  return best;
}

/**
 * The end of a message that suggests the most likely word; another text, or none, if there is no
 * suggestion.
 */
export function didYouMean(
  suggestion: string | undefined,
  otherwise = '',
  mark: ';' | ',' = ';',
): string {
  return suggestion === undefined ? otherwise : `${mark} did you mean "${suggestion}"?`;
}

/** The words closest to the given one, the closest first, at any distance. */
function mostSimilar(input: string, words: readonly string[], count: number): readonly string[] {
  const distances = words.map((word) => ({
    word,
    distance: editDistance(input.toLowerCase(), word.toLowerCase(), Infinity),
  }));
  return distances
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ word }) => word);
}

/**
 * Whether a word is clearly a misspelling of another one: equal but for case, hyphens and one or
 * two letters.
 */
export function isTypo(input: string, suggestion: string): boolean {
  const [left, right] = [input, suggestion].map((word) => word.toLowerCase().replace(/[-_]/g, ''));
  if (left === undefined || right === undefined) return false;
  const maxDistance = right.length < 5 ? 1 : 2;
  return left === right || editDistance(left, right, maxDistance + 1) <= maxDistance;
}

/**
 * Damerau-Levenshtein distance (adjacent transpositions count one); gives up with `limit` once it
 * is reached.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let rowBeforePrevious: number[] = [];
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const currentRow = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previousRow[column] ?? limit) + 1,
        (currentRow[column - 1] ?? limit) + 1,
        (previousRow[column - 1] ?? limit) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (rowBeforePrevious[column - 2] ?? limit) + 1);
      currentRow.push(cost);
    }
    // Once a whole row is above the limit, so are all later ones; a transposition looks one row
    // further back.
    if (Math.min(...currentRow) >= limit && Math.min(...previousRow) >= limit) return limit;
    [rowBeforePrevious, previousRow] = [previousRow, currentRow];
  }
  return previousRow[b.length] ?? limit;
}

/** Up to this many words are all listed. */
const maxListed = 12;
/** Of longer lists, this many of the most similar words. */
const maxLikely = 5;

/**
 * A list of allowed words for a message, never shortened without saying so: all of them, or the
 * five most similar ones and where to find the others.
 *
 * @param page the address of the page that lists all.
 */
export function describeAllowed(word: unknown, words: readonly string[], page: string): string {
  if (words.length <= maxListed) return words.join(', ');
  const likely =
    typeof word === 'string' ? mostSimilar(word, words, maxLikely) : words.slice(0, maxLikely);
  return `${likely.join(', ')} (${likely.length} of ${words.length}; ${page} lists all)`;
}
