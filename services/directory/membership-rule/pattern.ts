/** Compiles the pattern of a `-match`: unanchored, without letter case. Which patterns are safe, the parser has decided. */
export function comparePattern(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern, 'i');
  return (text) => expression.test(text);
}
