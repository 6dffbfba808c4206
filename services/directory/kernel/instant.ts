/** An instant as objects show it: UTC, whole seconds, as clients that compare dates by text expect. */
export function wholeSeconds(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, 'Z');
}
