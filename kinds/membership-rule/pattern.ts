import type * as Re2 from 're2js';

/**
 * Compiles the regular expression of a `-match`: unanchored, case-insensitive, in time linear in
 * the text. RE2's syntax: no back references, no look-around.
 *
 * @throws Error for a text that {@link checkPattern} rejects.
 */
export function compileMatch(pattern: string): (text: string) => boolean {
  const compiled = compile(pattern);
  return (text) => compiled.test(text);
}

/** Why a text is not a valid pattern; undefined if it is one. */
export function checkPattern(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace('error parsing regexp: ', '').replace('`(?i)', '`');
  }
}

function compile(pattern: string): Re2.RE2JS {
  // Loaded with the first pattern, since few rules have one: the library has large tables of
  // letters.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { RE2JS: Engine } = require('re2js') as typeof Re2;
  return Engine.compile(pattern, Engine.CASE_INSENSITIVE);
}
