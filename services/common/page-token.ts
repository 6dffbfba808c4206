import { parseJson } from './body-parsers.js';

/**
 * Encodes the start of the next page as an opaque text. It is not signed, as it grants nothing: see
 * "A next page" in ARCHITECTURE.md.
 */
export function writePageToken(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Decodes a token. @returns any JSON that a body may have; undefined for an invalid token */
export function readPageToken(token: string): unknown {
  try {
    return parseJson(Buffer.from(token, 'base64url'));
  } catch {
    return undefined; // the caller refuses it like any other invalid token
  }
}
