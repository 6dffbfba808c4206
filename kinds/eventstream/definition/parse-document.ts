/**
 * Parses `eventstream.json` as the service does: it lets a comma after the last entry of a list or an object pass.
 *
 * @throws SyntaxError that names the place in the text as it was given.
 */
export function parseDocument(text: string): unknown {
  // some editors begin a file with a byte order mark, which is no JSON
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

/** The text without commas before a closing bracket; undefined where there is none. */
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
    // only a comma that follows an entry is one too many
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
