import type { Problem } from '../source/problem.js';
import type { Finding } from './finding.js';
import { fingerprintOf } from './fingerprint.js';

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
