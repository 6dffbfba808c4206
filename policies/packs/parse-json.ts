import { jsonMistake } from '../../core/source/json-mistake.js';

/**
 * The value of a JSON text, which may begin with a byte order mark.
 *
 * @param name what the text is, such as its file, for the message.
 * @throws Error with the line and column of a mistake.
 */
export function parseJson(name: string, text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new Error(`${name} is not JSON: ${jsonMistake(json, cause)}`, { cause });
  }
}
