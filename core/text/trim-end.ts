/**
 * A text without the given characters at its end. Takes linear time: a pattern such as `/\/+$/` is
 * tried anew at each slash, which takes minutes for the longest texts that strangers can send.
 */
export function trimEnd(text: string, characters: string): string {
  let { length } = text;
  while (length > 0 && characters.includes(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}
