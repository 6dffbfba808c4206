/** A region's spelling in ids and states: "West Europe" is "westeurope". */
export function normalizeLocation(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}

/** Whether two spellings name one region. */
export function sameLocation(a: string, b: string): boolean {
  return normalizeLocation(a) === normalizeLocation(b);
}

/** Whether two words are the same but for letter case. */
export function sameIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
