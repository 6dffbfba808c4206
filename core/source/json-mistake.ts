/**
 * What is wrong in a text that `JSON.parse` refuses, and where: the engine's own messages name a
 * place for some mistakes only.
 *
 * @param error the error of `JSON.parse`.
 *
 * @example
 * jsonMistake('[x]', error); // Unexpected token 'x', line 1, column 2
 */
export function jsonMistake(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const what = message.replace(
    /(?: in JSON)? at position \d+.*$|, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/su,
    '',
  );
  const offset = jsonMistakeOffset(text, message);
  if (/end of JSON|^Unterminated/.test(what) || offset >= text.trimEnd().length)
    return 'it ends in the middle of its JSON';
  const lines = text.slice(0, offset).split('\n');
  return `${what}, line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * The offset of a mistake in a text that `JSON.parse` refuses. Its message has none for an
 * unexpected token, so this bisects for the shortest beginning of the text that contains one: it
 * ends with the token.
 *
 * @param message that of the error of `JSON.parse`.
 */
export function jsonMistakeOffset(text: string, message: string): number {
  const statedOffset = /position (\d+)/.exec(message)?.[1];
  if (statedOffset !== undefined) return Number(statedOffset);
  if (!message.startsWith('Unexpected token')) return text.length;
  let [validLength, invalidLength] = [0, text.length + 1];
  while (invalidLength - validLength > 1) {
    const middle = Math.floor((validLength + invalidLength) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) invalidLength = middle;
    else validLength = middle;
  }
  return invalidLength - 1;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}
