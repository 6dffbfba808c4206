import { BigNumber } from './value.js';

/**
 * Encodes a number: as an integer, as a float if that is exactly the decimal number, otherwise as
 * decimal text. Terraform compares numbers exactly: 0.1 is sent as "0.1", since as a float it would
 * be another number.
 */
export function encodeNumber(value: number | BigNumber): number | string | bigint {
  if (value instanceof BigNumber)
    return /^-?\d{1,18}$/.test(value.text) ? BigInt(value.text) : value.text;
  if (!Number.isFinite(value))
    throw new TypeError(`${String(value)} is not a number that Terraform knows`);
  if (Object.is(value, -0)) return 0;
  if (Number.isSafeInteger(value)) return value;
  if (Number.isInteger(value)) return BigInt(value).toString();
  return isExactInBinary(value) ? value : decimalText(value);
}

/** Decodes a number without losing digits. */
export function decodeNumber(wire: number | bigint | string): number | BigNumber {
  if (typeof wire === 'bigint')
    return isSafeInteger(wire) ? Number(wire) : new BigNumber(wire.toString());
  if (typeof wire === 'number') {
    if (Number.isSafeInteger(wire) || (!Number.isInteger(wire) && isExactInBinary(wire)))
      return wire;
    return Number.isInteger(wire)
      ? new BigNumber(BigInt(wire).toString())
      : new BigNumber(exactExpansion(wire));
  }
  const number = Number(wire);
  return Number.isFinite(number) &&
    decimalText(number) === wire &&
    (!Number.isInteger(number) || Number.isSafeInteger(number))
    ? number
    : new BigNumber(wire);
}

/** The shortest decimal text of a number, never in exponent form. */
function decimalText(value: number): string {
  const text = String(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign = '', head = '', tail = '', power = '0'] = parts;
  const digits = head + tail;
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return digits.length <= point
    ? sign + digits.padEnd(point, '0')
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** No float whose shortest decimal text is exact has a text of this length. */
const maxExactLength = 60;

/** Whether the shortest decimal text of a number is exactly the value of the float. */
function isExactInBinary(value: number): boolean {
  const text = decimalText(value);
  return text.length < maxExactLength && exactExpansion(value) === text;
}

/** All decimal digits of a float. */
function exactExpansion(value: number): string {
  let scaled = value;
  let decimals = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2; // exact: only the exponent changes
    decimals++;
  }
  const digits = (BigInt(Math.abs(scaled)) * 5n ** BigInt(decimals))
    .toString()
    .padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return `${value < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function isSafeInteger(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}
