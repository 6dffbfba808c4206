/**
 * Settings with an explicit null for every one that isn't set: the provider takes a body that merely lacks a setting for one that the
 * service satisfies already, plans no change, and the old setting stays for good.
 */
export function withExplicitNulls(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? null]));
}

/** {@link withExplicitNulls} of a section; null where none of its settings is set, so that the section goes as a whole. */
export function section(settings: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const set = Object.values(settings).some((value) => value !== undefined && value !== null);
  return set ? withExplicitNulls(settings) : null;
}
