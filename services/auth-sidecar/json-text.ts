/** A text as JSON. Most need no look at each letter: those are quoted as they are. */
export function jsonText(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}
