import { matcherOf } from './matcher.js';
import { parsePattern } from './parser.js';
import { compilePattern } from './program.js';
import { PatternError } from './syntax.js';

/**
 * Compiles the regular expression of a `-match`: unanchored, without letter case, in time linear in the text.
 *
 * @throws PatternError
 */
export function compileMatch(pattern: string): (text: string) => boolean {
  return matcherOf(compilePattern(parsePattern(pattern)));
}

/** Why a text is not a pattern that can be matched; undefined when it is one. */
export function checkPattern(pattern: string): string | undefined {
  try {
    compilePattern(parsePattern(pattern));
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
