import type * as Re2 from 're2js';

/**
 * Compiles the regular expression of a `-match`: unanchored, without letter case, in time linear in the text. RE2's syntax: no back
 * references, no look-around.
 *
 * @throws Error for a text that {@link checkPattern} refuses.
 */
export function compileMatch(pattern: string): (text: string) => boolean {
  const compiled = compile(pattern);
  return (text) => compiled.test(text);
}

/** Why a text is not a pattern that can be matched; undefined when it is one. */
export function checkPattern(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace('error parsing regexp: ', '').replace('`(?i)', '`');
  }
}

function compile(pattern: string): Re2.RE2JS {
  // Few rules have a pattern: the library's tables of letters are loaded with the first.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { RE2JS: Engine } = require('re2js') as typeof Re2;
  return Engine.compile(pattern, Engine.CASE_INSENSITIVE);
}
