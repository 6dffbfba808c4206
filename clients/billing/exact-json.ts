/**
 * Reads a billing answer without losing a digit of money: the `value` of an amount becomes text. Inside a JSON string the quotes of
 * `"value":` would be escaped, so nothing else can match.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(/"value":\s*(-?\d[\d.eE+-]*)/g, '"value":"$1"'));
}

const mark = '\u0000exact:';

/** Writes transactions as JSON with amounts as numbers again, digit by digit. */
export function printExactly(value: unknown, indent?: number): string {
  const marked = JSON.stringify(
    value,
    (_key, each: unknown) => (isAmount(each) ? { ...each, value: `${mark}${each.value}` } : each),
    indent,
  );
  return marked.replace(/"\\u0000exact:(-?[\d.eE+-]+)"/g, '$1');
}

function isAmount(value: unknown): value is { currency: string; value: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { currency, value: number } = value as { currency?: unknown; value?: unknown };
  return typeof currency === 'string' && typeof number === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(number);
}
