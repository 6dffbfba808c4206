/**
 * Parses a billing answer and keeps every digit of the amounts: the `value` of an amount becomes
 * text. Quotes inside a JSON string are escaped, so `"value":` matches property names only.
 */
export function parseWithExactAmounts(text: string): unknown {
  return JSON.parse(text.replace(/"value":\s*(-?\d[\d.eE+-]*)/g, '"value":"$1"'));
}

/** Marks the amounts in JSON text, so that the quotes around them can be removed. */
const exactAmountMark = '\u0000exact:';

/** Writes transactions as JSON, with the amounts as numbers of the same digits. */
export function stringifyExactAmounts(value: unknown, indent?: number): string {
  const json = JSON.stringify(
    value,
    (_key, each: unknown) =>
      isAmount(each) ? { ...each, value: `${exactAmountMark}${each.value}` } : each,
    indent,
  );
  return json.replace(/"\\u0000exact:(-?[\d.eE+-]+)"/g, '$1');
}

function isAmount(value: unknown): value is { currency: string; value: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { currency, value: number } = value as { currency?: unknown; value?: unknown };
  return (
    typeof currency === 'string' &&
    typeof number === 'string' &&
    /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(number)
  );
}
