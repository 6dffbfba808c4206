/** Whether a text is of such ASCII letters only as JSON has as they are. */
export function isPlain(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

/** A text as JSON. Most need no look at each letter: those are quoted as they are. */
export function jsonText(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}
