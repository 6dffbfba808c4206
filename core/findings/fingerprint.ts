import type * as Crypto from 'node:crypto';

/** Loaded with the first finding, since it takes longer than the rules of most checks. */
let crypto: typeof Crypto | undefined;

/**
 * The fingerprint that identifies a finding in YAML, constructs, plan and live service: rule, kind
 * and name of the declaration, and the property, never a line or a position.
 *
 * @returns 16 hex digits.
 */
export function fingerprintOf(ruleId: string, subject: readonly (string | number)[]): string {
  crypto ??= process.getBuiltinModule('node:crypto');
  const text = JSON.stringify([ruleId, ...subject.map(String)]);
  return crypto.hash('sha256', text, 'hex').slice(0, 16);
}
