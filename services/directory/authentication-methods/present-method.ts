import { parseInstant } from '../../../core/values/instant.js';
import { inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import type { Directory } from '../kernel/directory.js';
import { odataType } from '../kernel/presentation.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { findSubtype, isExpiredPass } from './subtypes.js';

/** A method in an answer, with the dialect's names. */
export function presentMethod(
  directory: Directory,
  method: StoredRecord,
  arePhonesMasked: boolean,
): Body {
  const subtype = findSubtype(String(method.body['subtype']));
  if (!subtype)
    throw new Error(
      `an authentication method of an unknown kind was stored: ${String(method.body['subtype'])}`,
    );
  const isPassword = subtype.name === 'passwordAuthenticationMethod';
  const created =
    isPassword && directory.dialect === 'neutral' ? null : (method.body['createdDateTime'] ?? null);
  const view: Record<string, unknown> = {
    '@odata.type': odataType(directory, subtype.name),
    id: method.id,
    [inDialect(dialectWords.methodCreated, directory.dialect)]: created,
  };
  const usability = usabilityOf(method.body, directory.clock.now());
  for (const field of subtype.fields) {
    const value = subtype.secretFields?.includes(field)
      ? null
      : (method.body[field] ?? usability[field] ?? null);
    const name =
      field === 'phoneType' ? inDialect(dialectWords.phoneType, directory.dialect) : field;
    view[name] =
      field === 'phoneNumber' && arePhonesMasked && typeof value === 'string'
        ? maskPhoneNumber(value)
        : value;
  }
  return view;
}

/** The fields that say whether a temporary access pass can be used now; none for other methods. */
function usabilityOf(method: Body, now: Date): Body {
  const { startDateTime, lifetimeInMinutes } = method;
  if (typeof startDateTime !== 'string' || typeof lifetimeInMinutes !== 'number') return {};
  if (now.getTime() < parseInstant(startDateTime))
    return { isUsable: false, methodUsabilityReason: 'NotYetValid' };
  if (isExpiredPass(method, now)) return { isUsable: false, methodUsabilityReason: 'Expired' };
  return { isUsable: true, methodUsabilityReason: 'EnabledByPolicy' };
}

/**
 * A phone number as an Authentication Administrator sees it: the country code and the last two
 * digits, with at least five digits hidden.
 *
 * @example
 * maskPhoneNumber('+1 2065551234'); // +1 XXXXXXXX34
 */
export function maskPhoneNumber(number: string): string {
  const [, country = '', rest = number] = /^(\+\d{1,3}\s+)?(.*)$/s.exec(number) ?? [];
  const digits = rest.replace(/\D/g, '').length;
  const visibleDigits = digits >= 7 ? 2 : 0;
  let remaining = digits;
  return country + rest.replace(/\d/g, (digit) => (remaining-- > visibleDigits ? 'X' : digit));
}
