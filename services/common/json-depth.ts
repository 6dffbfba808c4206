/**
 * The deepest nesting of a request's JSON. Services read bodies recursively: without a limit a
 * small body could overflow the stack.
 */
export const maxJsonDepth = 100;

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether JSON nests deeper than {@link maxJsonDepth}. Text that is not JSON is left to the parser.
 */
export function exceedsMaxJsonDepth(text: string): boolean {
  let depth = 0;
  let isInString = false; // within a string
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === openList || code === openObject) {
      if (++depth > maxJsonDepth) return true;
    } else if (code === closeList || code === closeObject) depth--;
  }
  return false;
}

/** @throws SyntaxError when JSON nests deeper than {@link maxJsonDepth}. */
export function assertJsonDepth(text: string): void {
  // Shorter text cannot: most bodies are not searched.
  if (text.length > maxJsonDepth && exceedsMaxJsonDepth(text))
    throw new SyntaxError(`it nests deeper than ${maxJsonDepth} levels`);
}
