import type { PropertyMetadata } from './property-metadata.js';
import { recordOf, text } from './schema-builders.js';

const reservedWords = ['microsoft', 'azure', 'windows'];
const reservedPrefixes = reservedWords.map((word) =>
  [...word].map((letter) => `[${letter}${letter.toUpperCase()}]`).join(''),
);

/** The cloud's limits of tags: the only place that states them. */
export const tagLimits = {
  keyPattern: `^(?!${reservedPrefixes.join('|')})[^<>%&\\\\?/\\u0000-\\u001f\\u007f]{1,512}$`,
  keyDescription: `1 to 512 characters, none of < > % & \\ ? /, and none of ${reservedWords.join(', ')} at its beginning`,
  value: { maxLength: 256 },
  count: 50,
} as const;

/** The tags of a resource in the cloud. */
export function tags(description: string, metadata: PropertyMetadata = {}) {
  return recordOf(text('The value.', tagLimits.value), {
    namePattern: tagLimits.keyPattern,
    patternDescription: tagLimits.keyDescription,
    maxProperties: tagLimits.count,
    description,
    ...metadata,
  });
}
