/** What no token can carry as a role or scope: another character than those of the claim, or a leading period. */
export function claimWordMistake(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('${')) return undefined;
  if (value.startsWith('.')) return 'it cannot begin with a period';
  const other = [...value].find((letter) => !/[\s\w:!#$%&'()*+,\-./;<=>?@[\]^`{|}~]/.test(letter));
  return other === undefined ? undefined : `"${other}" is not allowed in it`;
}
