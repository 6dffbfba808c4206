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
  for (let index = 0; index < json.length; index++) {
    const character = json[index] ?? '';
    if (/\s/.test(character)) continue;
    if ((character === '}' || character === ']') && commaIndex >= 0) {
      parts.push(json.slice(partStart, commaIndex));
      partStart = commaIndex + 1;
    }
    // only a comma after an entry is a trailing one
    commaIndex = character === ',' && !['', ',', '{', '['].includes(previous) ? index : -1;
    previous = character;
    if (character === '"') index = endOfString(json, index);
  }
  return parts.length === 0 ? undefined : `${parts.join('')}${json.slice(partStart)}`;
}

function endOfString(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    if (json[index] === '\\') index++;
    else if (json[index] === '"') return index;
  }
  return json.length;
}
