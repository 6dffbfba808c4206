import type { Finding } from '../../../core/findings/finding.js';
import { liveOwnerStrongMethod } from '../../rules/live/live-owner-strong-method.js';

/** Reports the weak methods of an owner once, at the first group, with the number of groups. */
export function reportWeakOwnersOnce(findings: readonly Finding[]): readonly Finding[] {
  const byOwner = new Map<unknown, Finding[]>();
  for (const finding of findings) {
    if (!isWeak(finding)) continue;
    const { owner } = finding.parameters;
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), finding]);
  }
  return findings.flatMap((finding) => {
    const sameOwner = isWeak(finding) ? (byOwner.get(finding.parameters['owner']) ?? []) : [];
    if (sameOwner.length < 2) return [finding];
    const message = `${finding.message} (an owner of ${String(sameOwner.length)} groups)`;
    return finding === sameOwner[0] ? [{ ...finding, message }] : [];
  });
}

function isWeak({ ruleId, messageId }: Finding): boolean {
  return ruleId === liveOwnerStrongMethod.id && messageId === 'weak';
}
