const [quote, backslash, openList, closeList, openObject, closeObject, comma, blank] = [34, 92, 91, 93, 123, 125, 44, 32];

/**
 * Where the value ends that begins at a place of a JSON text without blanks between its parts, as `JSON.stringify` writes it; the text's
 * length when it ends before the value does.
 */
export function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return stringEnd(text, start);
  if (first === openList || first === openObject) return nestedEnd(text, start);
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closeObject || code === closeList || code === blank) break;
  }
  return at;
}

function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at + 1;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === backslash) from--;
  return (at - from) % 2 === 1;
}

function nestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openList || code === openObject) depth++;
    else if ((code === closeList || code === closeObject) && --depth === 0) return at + 1;
  }
  return text.length;
}
