import type { SourceLocation } from '../findings/finding.js';
import type { YamlDocument } from './parse-yaml.js';

/**
 * The place of a second document in a file that has one only, whose content would silently have no
 * effect; undefined where there is none, or nothing in it.
 */
export function secondDocumentPlace(
  documents: readonly YamlDocument[],
): SourceLocation | undefined {
  const second = documents.slice(1).find(({ root }) => root.value !== null);
  return second?.source.location(second.root.start, second.root.start);
}
