import { CastellanError } from '../../core/errors/castellan-error.js';
import { assertListName } from './seed-lists.js';
import { type EntryText, textsOf } from './seed-text.js';

const [quote, backslash, comma, newline] = [34, 92, 44, 10];
const opening = new Set([123, 91]);
const closing = new Set([125, 93]);

/**
 * The entries of `{"users": [{…}, …], …}`, whatever its size: only strings and brackets are looked at, what an entry holds is read by
 * its holder.
 *
 * @throws CAS4002 for a name that is no list, or a list that isn't one.
 */
export function* jsonEntries(file: string): Generator<EntryText> {
  let [depth, inString, escaped, line, begun] = [0, false, false, 1, 1];
  let list: string | undefined;
  let piece = ''; // what was read since the last boundary
  for (const text of textsOf(file)) {
    let from = 0;
    const take = (to: number): string => {
      const whole = (piece + text.slice(from, to)).trim();
      [piece, from] = ['', to + 1];
      return whole;
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === newline) line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (code === backslash) escaped = true;
        else if (code === quote) inString = false;
      } else if (code === quote) inString = true;
      else if (opening.has(code)) {
        if (++depth === 1) take(at);
        if (depth === 2) {
          list = listOf(file, line, take(at), code);
          begun = line;
        }
      } else if (closing.has(code)) {
        if (--depth === 1 && list !== undefined) {
          const last = take(at);
          if (last !== '') yield { list, text: last, line: begun };
          list = undefined;
        }
      } else if (code === comma && depth === 2 && list !== undefined) {
        yield { list, text: take(at), line: begun };
        begun = line;
      }
    }
    piece += text.slice(from);
  }
  if (depth !== 0) throw new CastellanError('CAS4002', `${file}:${line}: the JSON ends before it is complete`);
}

function listOf(file: string, line: number, label: string, code: number): string {
  const name = /^,?\s*"(\w+)"\s*:$/.exec(label)?.[1];
  if (name === undefined || code !== 91) throw new CastellanError('CAS4002', `${file}:${line}: a list is expected here ("users": […])`);
  assertListName(name, `${file}:${line}`);
  return name;
}
