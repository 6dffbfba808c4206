import { hash } from 'node:crypto';

/**
 * The fingerprint that identifies a finding in YAML, constructs, plan and live service: rule, kind
 * and name of the declaration, and the property, never a line or a position.
 *
 * @returns 16 hex digits.
 */
export function fingerprintOf(ruleId: string, subject: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify([ruleId, ...subject.map(String)]), 'hex').slice(0, 16);
}
