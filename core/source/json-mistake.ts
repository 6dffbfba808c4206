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
  const offset = mistakeOffset(text);
  if (/end of JSON|^Unterminated/.test(what) || offset >= text.trimEnd().length)
    return 'it ends in the middle of its JSON';
  const lines = text.slice(0, offset).split('\n');
  return `${what}, line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** White space, and then a token: a text, a number, a word or a mark. */
const tokenPattern =
  /[ \t\n\r]*(?:("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/y;

/** What may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/** The offset of the first character that JSON does not allow; the end of a text that is cut off. */
function mistakeOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let offset = 0; ; offset = tokenPattern.lastIndex) {
    tokenPattern.lastIndex = offset;
    const [token = '', scalar, mark] = tokenPattern.exec(text) ?? [];
    const start =
      offset + (/^[ \t\n\r]*/.exec(token === '' ? text.slice(offset) : token)?.[0].length ?? 0);
    const next = nextExpected(expected, open, scalar, mark);
    if (next === undefined) return start;
    expected = next;
  }
}

/** What may come after a token; undefined if the token may not come here. */
function nextExpected(
  expected: Expected,
  open: ('{' | '[')[],
  scalar: string | undefined,
  mark: string | undefined,
): Expected | undefined {
  const isDone = open.length === 0 && expected === ', or end';
  if (isDone) return undefined;
  if (expected.startsWith('key')) {
    if (scalar?.startsWith('"') === true) return ':';
    return mark === '}' && expected === 'key or }' ? close(open) : undefined;
  }
  if (expected === ':') return mark === ':' ? 'value' : undefined;
  if (expected === ', or end') {
    if (mark === ',') return open.at(-1) === '{' ? 'key' : 'value';
    return mark === (open.at(-1) === '{' ? '}' : ']') ? close(open) : undefined;
  }
  if (scalar !== undefined) return ', or end';
  if (mark === '{' || mark === '[') {
    open.push(mark);
    return mark === '{' ? 'key or }' : 'value or ]';
  }
  return mark === ']' && expected === 'value or ]' ? close(open) : undefined;
}

function close(open: ('{' | '[')[]): Expected {
  open.pop();
  return ', or end';
}
