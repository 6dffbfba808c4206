import { documentation } from '../../core/text/documentation.js';

/** A part of the cloud's interface that a service knows of and does not serve. */
export interface NotServed {
  /** Its name on the parity page, such as `mail`. */
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

/** The anchor of a part on the parity page. */
export const notServedAnchor = (id: string): string => `not-served-${id}`;

/** The message of a 501: what is not served, what to do instead, and where to read more. */
export function notServedMessage({ id, what, instead }: NotServed): string {
  return `Castellan does not serve ${what}. ${instead} See ${documentation}/reference/parity.md#${notServedAnchor(id)}`;
}
