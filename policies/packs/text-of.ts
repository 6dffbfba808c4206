/** The text of whatever was thrown: an error, a text, or an object with a message. */
export function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const message = (thrown as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(thrown);
}
