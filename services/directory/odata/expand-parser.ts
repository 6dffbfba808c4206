import type { ExpandItem } from './ast.js';
import { odataLimits } from './limits.js';
import { ODataError, syntaxError } from './odata-error.js';

/**
 * Parses `$expand`: relationships, each with `$select` nested in parentheses where wanted (`members($select=id,displayName)`).
 *
 * @throws ODataError Request_BadRequest for malformed text or another nested option than `$select`.
 */
export function parseExpand(text: string): readonly ExpandItem[] {
  if (text.length > odataLimits.length) throw syntaxError('expand', 'it is too long', odataLimits.length);
  return splitOutside(text).map(({ part, position }) => parseItem(part, position));
}

function parseItem(part: string, position: number): ExpandItem {
  const match = /^([A-Za-z]\w*)(?:\(([^()]*)\))?$/.exec(part);
  if (!match?.[1]) throw syntaxError('expand', 'expected a relationship, with options in parentheses', position);
  if (match[2] === undefined) return { relationship: match[1] };
  let select: readonly string[] | undefined;
  for (const option of match[2].split(';')) {
    const [name = '', value] = option.split('=', 2).map((each) => each.trim());
    if (!/^\$?select$/i.test(name) || value === undefined)
      throw new ODataError(
        'Request_BadRequest',
        `Invalid expand clause: the nested option '${name.slice(0, 40)}' is not supported, only $select is.`,
      );
    select = value.split(',').map((each) => each.trim());
    if (!select.every((each) => /^[A-Za-z_][\w.]*$/.test(each)))
      throw syntaxError('expand', 'the nested $select is not a list of properties', position);
  }
  return { relationship: match[1], ...(select ? { select } : {}) };
}

/** Splits at the commas outside parentheses. */
function splitOutside(text: string): { part: string; position: number }[] {
  const parts: { part: string; position: number }[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      parts.push({ part: text.slice(start, index).trim(), position: start });
      start = index + 1;
    }
  }
  return parts;
}
