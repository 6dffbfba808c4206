/**
 * The body of an answer: JSON parsed (also when it isn't declared as such), other text as it is, undefined where there is none.
 *
 * @param parse reads JSON; for those who can't do with binary floating point.
 */
export async function bodyOf(response: Response, parse: (text: string) => unknown = JSON.parse): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  const declared = /[/+]json\b/i.test(response.headers.get('content-type') ?? '');
  if (!declared && !/^\s*[[{]/.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return text; // not JSON after all: a proxy's page; the caller sees the text in the error
  }
}
