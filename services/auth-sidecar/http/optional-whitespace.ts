/**
 * A part of a header without the whitespace around it: spaces and tabs only (RFC 9110, 5.6.3).
 * `trim` would also remove bytes such as 0xA0, and so let a name pass for another one.
 */
export function trimWhitespace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The members of a list in a header, empty ones left out (RFC 9110, 5.6.1). */
export function listMembers(list: string): string[] {
  if (list.includes(',')) return list.split(',').map(trimWhitespace).filter(isGiven);
  const only = trimWhitespace(list);
  return isGiven(only) ? [only] : [];
}

function isGiven(member: string): boolean {
  return member !== '';
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
