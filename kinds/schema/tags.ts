import type { PropertyMetadata } from './property-metadata.js';
import { recordOf, text } from './schema-builders.js';

const reservedPrefixes = ['microsoft', 'azure', 'windows'].map((word) =>
  [...word].map((letter) => `[${letter}${letter.toUpperCase()}]`).join(''),
);

/** The cloud's limits of tags: the only place that states them. */
export const tagLimits = {
  /**
   * 1 to 512 characters without < > % & \ ? / and control characters; it must not begin with one of
   * the prefixes that the cloud reserves.
   */
  keyPattern: `^(?!${reservedPrefixes.join('|')})[^<>%&\\\\?/\\u0000-\\u001f\\u007f]{1,512}$`,
  value: { maxLength: 256 },
  count: 50,
} as const;

/** The tags of a resource in the cloud. */
export function tags(description: string, metadata: PropertyMetadata = {}) {
  return recordOf(text('The value.', tagLimits.value), {
    namePattern: tagLimits.keyPattern,
    maxProperties: tagLimits.count,
    description,
    ...metadata,
  });
}
