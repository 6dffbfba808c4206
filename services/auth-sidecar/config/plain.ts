/** A plain object of parsed JSON or YAML. */
export type Plain = { readonly [key: string]: unknown };

/** Whether a value is an object that isn't an array. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
