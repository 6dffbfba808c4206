import { hash } from 'node:crypto';
import type { Problem } from '../source/problem.js';
import type { Finding } from './finding.js';

/**
 * The fingerprint that identifies a finding in YAML, constructs, plan and live service: rule, kind
 * and name of the declaration, and the property, never a line or a position.
 *
 * @returns 16 hex digits.
 */
export function fingerprintOf(ruleId: string, subject: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify([ruleId, ...subject.map(String)]), 'hex').slice(0, 16);
}

/** A mistake in a file as a finding. */
export function findingOfProblem({ id, message, location }: Problem): Finding {
  return {
    ruleId: id,
    messageId: id,
    parameters: {},
    verdict: 'fail',
    severity: 'error',
    message,
    location,
    fingerprint: fingerprintOf(id, [location.file, message]),
  };
}
