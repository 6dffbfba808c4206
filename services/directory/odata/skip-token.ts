import { ODataError } from './odata-error.js';

/** Where the next page begins: the sort values and the id of the last object given out. */
export type SkipPosition = readonly (string | number | null)[];

/** Writes a position as an opaque `$skiptoken`. */
export function encodeSkipToken(position: SkipPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Reads a `$skiptoken` back.
 *
 * @param length how many values the query at hand puts into its tokens.
 * @throws ODataError Request_BadRequest for a token that no query of this shape gave out.
 */
export function decodeSkipToken(token: string, length: number): SkipPosition {
  const position = parse(token);
  const valid =
    Array.isArray(position) &&
    position.length === length &&
    position.every((each) => each === null || ['string', 'number'].includes(typeof each));
  if (!valid) throw new ODataError('Request_BadRequest', 'Invalid $skiptoken: it was not given out for this query.');
  return position as SkipPosition;
}

function parse(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined; // not JSON: refused by the caller like any other foreign token
  }
}

/** The absolute link to the next page: the request's own options, with its `$skiptoken` replaced. */
export function nextLink(requestUrl: string, token: string): string {
  const [path = '', query = ''] = requestUrl.split('?', 2);
  const kept = query.split('&').filter((part) => part !== '' && !/^(\$|%24)?skiptoken=/i.test(part));
  return `${path}?${[...kept, `$skiptoken=${token}`].join('&')}`;
}
