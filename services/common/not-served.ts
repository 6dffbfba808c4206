import { documentation } from '../../core/text/documentation.js';

/** A part of the cloud's interface that a service knows of and does not serve. */
export interface NotServed {
  /** Its name on the page of what is equal, such as `mail`. */
  readonly id: string;
  /** Plural, without an article: `messages of mailboxes`. */
  readonly what: string;
  /** What to do instead, as a sentence. */
  readonly instead: string;
  /** Its paths below the service's prefix, from the first slash, without the query. */
  readonly paths: RegExp;
  /** One of these paths, for the page and the test. */
  readonly example: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
}

/** Where the page of what is equal says that a part is not served. */
export const notServedAnchor = (id: string): string => `not-served-${id}`;

/** The message of a 501: what is not served, where that is stated, and the way out. */
export function notServedMessage({ id, what, instead }: NotServed): string {
  return `Castellan does not serve ${what}. ${instead} See ${documentation}/reference/parity.md#${notServedAnchor(id)}`;
}
