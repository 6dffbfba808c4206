/**
 * Parses `eventstream.json` as the service does: a comma after the last entry of a list or an
 * object is accepted.
 *
 * @throws SyntaxError with the position in the original text.
 */
export function parseDocument(text: string): unknown {
  // some editors write a byte order mark, which is not JSON
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const repaired = withoutTrailingCommas(json);
    if (repaired === undefined) throw error;
    try {
      return JSON.parse(repaired) as unknown;
    } catch {
      throw error;
    }
  }
}

/** The text without trailing commas; undefined if it has none. */
function withoutTrailingCommas(json: string): string | undefined {
  const parts: string[] = [];
  let partStart = 0;
  let previous = '';
  let commaIndex = -1;
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (/\s/.test(character)) continue;
    if ((character === '}' || character === ']') && commaIndex >= 0) {
      parts.push(json.slice(partStart, commaIndex));
      partStart = commaIndex + 1;
    }
    // only a comma after an entry is a trailing one
    commaIndex = character === ',' && !['', ',', '{', '['].includes(previous) ? at : -1;
    previous = character;
    if (character === '"') at = endOfString(json, at);
  }
  return parts.length === 0 ? undefined : `${parts.join('')}${json.slice(partStart)}`;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"') return at;
  }
  return json.length;
}
