/**
 * The values of a header.
 *
 * @param raw names and values in turn, as in Node's `rawHeaders`.
 * @param name in lower case.
 */
export function headerValues(raw: readonly string[], name: string): string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

/** The headers whose names pass, as names and values in turn. */
export function filterHeaders(raw: readonly string[], isKept: (name: string) => boolean): string[] {
  return raw.filter((_, index) => isKept(raw[index - (index % 2)] as string));
}

/** The header lines of names and values in turn, each with its line ending. */
export function headerLines(raw: readonly string[]): string {
  return raw.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}
