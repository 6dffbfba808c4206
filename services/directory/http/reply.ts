import type { Body } from '../store/objects.js';
import { DirectoryError } from './errors.js';

/** What an operation answers. */
export interface Reply {
  readonly status: number;
  /** JSON, text (`$count`) or bytes (photos); none for an empty answer. */
  readonly body?: Body | string | Buffer;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 200 with a JSON body. */
export function ok(body: Body, headers?: Readonly<Record<string, string>>): Reply {
  return { status: 200, body, ...(headers && { headers }) };
}

/** The content type of JSON answers. */
export const jsonType = 'application/json; odata.metadata=minimal; odata.streaming=true; IEEE754Compatible=false; charset=utf-8';

/** 201 with the new thing and its address. */
export function created(body: Body, location?: string): Reply {
  return { status: 201, body, ...(location !== undefined && { headers: { location } }) };
}

/** 204. */
export const noContent: Reply = { status: 204 };

/** A number as text, for `/$count`. */
export function plainCount(count: number): Reply {
  return { status: 200, body: String(count), contentType: 'text/plain' };
}

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
