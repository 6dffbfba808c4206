import { documentationUrl } from '../../core/text/documentation-url.js';

/** A feature of the cloud's interface whose paths a service knows, and answers with 501. */
export interface UnservedFeature {
  /** Its name on the parity page, such as `mail`. */
  readonly id: string;
  /** Plural, without an article: `messages of mailboxes`. */
  readonly feature: string;
  /** What to do instead, as a sentence. */
  readonly alternative: string;
  /** Its paths below the service's prefix, from the first slash, without the query. */
  readonly pathPattern: RegExp;
  /** One of these paths, for the page and the test. */
  readonly example: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
}

/** The anchor of a feature on the parity page. */
export const notServedAnchor = (id: string): string => `not-served-${id}`;

/** The message of a 501: what is not served, what to do instead, and where to read more. */
export function notServedMessage({ id, feature, alternative }: UnservedFeature): string {
  return `Castellan does not serve ${feature}. ${alternative} See ${documentationUrl}/reference/parity.md#${notServedAnchor(id)}`;
}
