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
    const without = withoutTrailingCommas(json);
    if (without === undefined) throw error;
    try {
      return JSON.parse(without) as unknown;
    } catch {
      throw error;
    }
  }
}

/** The text without trailing commas; undefined if it has none. */
function withoutTrailingCommas(json: string): string | undefined {
  const texts: string[] = [];
  let from = 0;
  let last = '';
  let comma = -1;
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (/\s/.test(character)) continue;
    if ((character === '}' || character === ']') && comma >= 0) {
      texts.push(json.slice(from, comma));
      from = comma + 1;
    }
    // only a comma after an entry is a trailing one
    comma = character === ',' && !['', ',', '{', '['].includes(last) ? at : -1;
    last = character;
    if (character === '"') at = endOfText(json, at);
  }
  return texts.length === 0 ? undefined : `${texts.join('')}${json.slice(from)}`;
}

function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"') return at;
  }
  return json.length;
}
