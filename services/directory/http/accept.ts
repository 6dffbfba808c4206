import { DirectoryError } from './errors.js';

/** Paths whose answers aren't JSON: counts, pictures, files. */
const notJson = /\/(?:(?:\$|%24)(?:count|value)|content|logo)\/?$/i;

/**
 * Holds an `Accept` header against JSON, which is all that most operations answer. Parameters of a media type don't matter.
 *
 * @param path without the query.
 * @throws DirectoryError 406.
 */
export function requireAcceptable(accept: string | undefined, path: string): void {
  if (accept === undefined || accept.trim() === '' || accept.includes('json') || accept.includes('*/*') || notJson.test(path)) return;
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  if (ranges.includes('application/*')) return;
  throw new DirectoryError(406, 'Request_BadRequest', `The service answers application/json; '${accept.slice(0, 100)}' leaves that out.`);
}
