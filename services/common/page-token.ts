/** Writes where a listing goes on as an opaque text, for the link to its next page. */
export function writePageToken(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Reads a token back. @returns what may be any JSON; undefined for a text that is no token at all */
export function readPageToken(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined; // refused by the caller like any other foreign token
  }
}
