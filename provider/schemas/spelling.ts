/** A region in ids and states: "West Europe" becomes "westeurope". */
export function normalizeLocation(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}

/** Whether two spellings mean the same region. */
export function isSameLocation(a: string, b: string): boolean {
  return normalizeLocation(a) === normalizeLocation(b);
}

/** Whether two words are equal in any letter case. */
export function isEqualIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
