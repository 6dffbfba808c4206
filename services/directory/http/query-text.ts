/**
 * The parameters of a query, as `URLSearchParams` reads them: those given more than once as a list. A name without `=` has an empty value.
 *
 * @param query without the question mark.
 */
export function readQuery(query: string): Record<string, string | string[]> {
  const parameters = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of pairsOf(query)) {
    const before = parameters[name];
    parameters[name] = before === undefined ? value : [before, value].flat();
  }
  return parameters;
}

/** `URLSearchParams` reads character by character and forgives wrong encodings; who encodes correctly is read faster. */
function pairsOf(query: string): Iterable<readonly [string, string]> {
  try {
    return query
      .split('&')
      .filter((part) => part !== '')
      .map(decodedPair);
  } catch {
    return new URLSearchParams(query); // wrongly encoded
  }
}

function decodedPair(part: string): [string, string] {
  const equals = part.indexOf('=');
  return equals < 0 ? [decoded(part), ''] : [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))];
}

function decoded(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
}
