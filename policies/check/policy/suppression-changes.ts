import type { Finding } from '../../../core/findings/finding.js';
import type { SourceText } from '../../../core/source/source-text.js';
import type { PolicyAtBase } from './policy-at-base.js';
import { isApproved } from './suppressions.js';
import type { Suppression } from './suppression-comments.js';
import type { NewSuppression } from './weakening-findings.js';

/** The suppressions of a change, compared with those of its base. */
export interface SuppressionChanges {
  /** Those that the base does not have, or not for as long. */
  readonly added: readonly NewSuppression[];
  /** Whether a suppression may accept a finding of the change. */
  readonly accepts: (suppression: Suppression, finding: Finding) => boolean;
}

/** The suppressions of the base, and what they accept there. */
export interface BaseSuppressions {
  readonly all: readonly Suppression[];
  /** The texts at the base, by path. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /**
   * Whether a comment accepts this finding at the base; undefined for rules without input there.
   */
  readonly accepts: (finding: Finding) => boolean | undefined;
}

/**
 * Compares the suppressions of a change with those of the commit where it began. A suppression in
 * the policy is matched by what it accepts (rule, path, value and so on), and is effective only if
 * the policy of the target branch has it now, too. A comment is matched by its rule and the text of
 * its line, and accepts only findings that a comment accepted at the base: otherwise a comment that
 * was moved would accept another finding.
 *
 * @param head the suppressions of the change.
 * @param atBase those where the change began.
 * @param base the policies of the target branch.
 */
export function compareSuppressions(
  head: { readonly all: readonly Suppression[]; readonly sources: BaseSuppressions['sources'] },
  atBase: BaseSuppressions,
  base: PolicyAtBase,
  today: string,
): SuppressionChanges {
  const unmatchedByKey = new Map<string, Suppression[]>();
  for (const each of atBase.all) {
    const key = suppressionKey(each, atBase.sources);
    unmatchedByKey.set(key, [...(unmatchedByKey.get(key) ?? []), each]);
  }
  const { approvedBy } = base.policy.config.suppressionLimits ?? {};
  const keysInForce = new Set(
    base.policy.config.suppressions?.map((each) => suppressionKey(each, atBase.sources)),
  );
  const isInForce = (suppression: Suppression): boolean =>
    suppression.line !== undefined || keysInForce.has(suppressionKey(suppression, head.sources));
  const isTrusted = ({ location }: Suppression): boolean =>
    approvedBy !== undefined && isApproved(location.file, { ...base, approvedBy });
  const added: NewSuppression[] = [];
  const effectiveSuppressions = new Set<Suppression>();
  for (const suppression of head.all) {
    const earlier = unmatchedByKey.get(suppressionKey(suppression, head.sources))?.shift();
    if (earlier === undefined) added.push({ suppression });
    else if (lastDay(suppression) > lastDay(earlier))
      added.push({ suppression, untilAtBase: earlier.until });
    const wasEffective =
      earlier !== undefined && lastDay(earlier) >= today && isInForce(suppression);
    if (isTrusted(suppression) || wasEffective) effectiveSuppressions.add(suppression);
  }
  return {
    added,
    accepts: (suppression, finding) =>
      effectiveSuppressions.has(suppression) &&
      (suppression.line === undefined ||
        isTrusted(suppression) ||
        atBase.accepts(finding) !== false),
  };
}

function lastDay({ until }: Suppression): string {
  return until ?? '9999-12-31';
}

function suppressionKey(
  each: Omit<Suppression, 'location'> & Partial<Suppression>,
  sources: BaseSuppressions['sources'],
): string {
  const { rule, line, location, path, fingerprint, value, valueText, stack, environments } = each;
  if (line === undefined || location === undefined)
    return JSON.stringify([rule, path, fingerprint, value, stack, environments]);
  const text = sources.get(location.file)?.line(line) ?? '';
  return JSON.stringify([rule, valueText, text.replace(/#\s*castellan-ignore.*$/, '').trim()]);
}
