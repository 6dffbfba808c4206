/**
 * A part of a field value without the optional whitespace around it: spaces and tabs (RFC 9110,
 * 5.6.3). `trim` would also remove bytes such as 0xA0, and so make different names equal.
 */
export function trimWhitespace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The members of a comma-separated list, without empty ones (RFC 9110, 5.6.1). */
export function parseList(list: string): string[] {
  if (list.includes(',')) return list.split(',').map(trimWhitespace).filter(isNotEmpty);
  const only = trimWhitespace(list);
  return isNotEmpty(only) ? [only] : [];
}

function isNotEmpty(member: string): boolean {
  return member !== '';
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09; // space or tab
}
