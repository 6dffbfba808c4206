/** The properties that have a value: for objects in which a missing property must be absent. */
export function omitUndefined<T extends object>(
  properties: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const defined: { [Key in keyof T]?: T[Key] } = {};
  for (const key in properties) if (properties[key] !== undefined) defined[key] = properties[key];
  return defined as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
