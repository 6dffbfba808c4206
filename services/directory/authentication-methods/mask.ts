/**
 * A phone number as an Authentication Administrator sees it: the country code and the last two digits, at least five digits hidden.
 *
 * @example
 * maskPhoneNumber('+1 2065551234'); // +1 XXXXXXXX34
 */
export function maskPhoneNumber(number: string): string {
  const [, country = '', rest = number] = /^(\+\d{1,3}\s+)?(.*)$/s.exec(number) ?? [];
  const digits = rest.replace(/\D/g, '').length;
  const shown = digits >= 7 ? 2 : 0;
  let left = digits;
  return country + rest.replace(/\d/g, (digit) => (left-- > shown ? 'X' : digit));
}
