/** The form of a GUID in a regular expression, in either letter case. */
export const guidRegexSource = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const guidPattern = new RegExp(`^${guidRegexSource}$`);

/** Whether a value is a GUID, in either letter case. */
export function isGuid(value: string): boolean;
export function isGuid(value: unknown): value is string;
export function isGuid(value: unknown): boolean {
  return typeof value === 'string' && guidPattern.test(value);
}

/**
 * An id in lower case, as services and providers write it: fabric plans a replacement where only
 * the letter case differs.
 */
export function normalizeId(id: string): string {
  return isGuid(id) ? id.toLowerCase() : id;
}
