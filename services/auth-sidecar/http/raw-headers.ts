/** The values of a header in a list of names and values in turn. @param name in lower case */
export function valuesOf(raw: readonly string[], name: string): string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

/** Those names and values in turn whose name is kept. */
export function keepNamed(raw: readonly string[], isKept: (name: string) => boolean): string[] {
  return raw.filter((_, index) => isKept(raw[index - (index % 2)] as string));
}

/** Names and values in turn as header lines, each with its line ending. */
export function headerLines(raw: readonly string[]): string {
  return raw.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}
