/** A quantifier on a group that itself repeats something: such patterns can take exponential time. */
const repeats = /(?<!\\)(?:\\\\)*(?:[*+]|\{\d*,?\d*\})/;

/**
 * Holds a `-match` pattern against what can be evaluated safely.
 *
 * @returns why it can't, or undefined when all is well.
 */
export function checkPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'i');
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: /, '');
  }
  return nestsRepetition(pattern) ? 'a repeated group must not contain a repetition or an alternative' : undefined;
}

function nestsRepetition(pattern: string): boolean {
  const openings: number[] = [];
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') openings.push(index);
    else if (character === ')') {
      const body = pattern.slice((openings.pop() ?? 0) + 1, index);
      const repeated = /^(?:[*+]|\{\d+,\d*\})/.test(pattern.slice(index + 1));
      if (repeated && (repeats.test(body) || body.includes('|'))) return true;
    }
  }
  return false;
}
