/** How deep the JSON of a request may nest, in levels. Services read bodies by recursion: without an end a small body would fill the stack. */
export const deepestJson = 100;

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether JSON nests deeper than {@link deepestJson}. Text that isn't JSON is left to the parser. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inside = false; // of a string
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inside) {
      if (code === backslash) index++;
      else if (code === quote) inside = false;
    } else if (code === quote) inside = true;
    else if (code === openList || code === openObject) {
      if (++depth > deepestJson) return true;
    } else if (code === closeList || code === closeObject) depth--;
  }
  return false;
}

/** @throws SyntaxError when JSON nests deeper than {@link deepestJson}. */
export function assertShallow(text: string): void {
  // Short text can't: most bodies are never looked through.
  if (text.length > deepestJson && nestsTooDeep(text)) throw new SyntaxError(`it nests deeper than ${deepestJson} levels`);
}
