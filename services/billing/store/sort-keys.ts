import { Decimal } from 'decimal.js';

const isoDatePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7})\d*)?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A date (and time) as text that sorts by instant: UTC, with seven decimals like the cloud's.
 *
 * @param text ISO 8601, with or without a time; UTC by default.
 * @returns undefined for an invalid date.
 */
export function dateKey(text: string): string | undefined {
  const match = isoDatePattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    match;
  const local = `${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour}:${minute}:${second}`;
  const instant = new Date(local + zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2'));
  // February 30 would silently become March 2.
  if (Number.isNaN(instant.getTime()) || toIsoSeconds(new Date(`${local}Z`)) !== local)
    return undefined;
  return `${toIsoSeconds(instant)}.${fraction.padEnd(7, '0')}`;
}

function toIsoSeconds(instant: Date): string {
  return instant.toISOString().slice(0, 19);
}

/** Decimals that are never rounded: 200 digits, and exponents up to the limit of decimal.js. */
export const ExactDecimal = Decimal.clone({
  precision: 200,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  maxE: 9e15,
  minE: -9e15,
});

/** Added to exponents, so that negative ones sort before positive ones as text of five digits. */
const exponentOffset = 50_000;
const maxStoredExponent = 99_999;

/**
 * Encodes a decimal as text that sorts like the number, byte by byte, and can be decoded exactly:
 * money is stored and compared without binary floating point.
 *
 * Zero is `1`. A positive number is `2`, its exponent, its digits; a negative one is `0` and the
 * complement of both, ended by `~`, so that the larger magnitude comes first.
 *
 * @throws RangeError for anything but a finite number within 10^±49999.
 */
export function decimalKey(value: Decimal.Value): string {
  const number = new ExactDecimal(value);
  if (!number.isFinite()) throw new RangeError('not a finite number');
  if (number.isZero()) return '1';
  const exponent = number.e + 1 + exponentOffset;
  if (exponent < 0 || exponent > maxStoredExponent)
    throw new RangeError('the number is out of range');
  const digits = number
    .abs()
    .toExponential()
    .replace(/e.*$/, '')
    .replace('.', '')
    .replace(/0+$/, '');
  if (number.isPositive()) return `2${padExponent(exponent)}${digits}`;
  return `0${padExponent(maxStoredExponent - exponent)}${ninesComplement(digits)}~`;
}

/** Decodes the number of a key to decimal text without an exponent: `-12.5`. */
export function decimalText(key: string): string {
  if (key === '1') return '0';
  const isNegative = key.startsWith('0');
  const storedExponent = Number(key.slice(1, 6));
  const exponent =
    (isNegative ? maxStoredExponent - storedExponent : storedExponent) - exponentOffset;
  const digits = isNegative ? ninesComplement(key.slice(6, -1)) : key.slice(6);
  return new ExactDecimal(`${isNegative ? '-' : ''}0.${digits}e${exponent}`).toFixed();
}

function padExponent(exponent: number): string {
  return String(exponent).padStart(5, '0');
}

function ninesComplement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
