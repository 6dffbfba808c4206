/**
 * A part of a header without the whitespace around it: spaces and tabs only (RFC 9110, 5.6.3).
 * `trim` would also remove bytes such as 0xA0, and so let a name pass for another one.
 */
export function trimWhitespace(text: string): string {
  return trimEnd(text.replace(/^[ \t]+/, ''));
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(0, end);
}
