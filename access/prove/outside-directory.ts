import {
  type OutsideAccess,
  outsideAccessOnlyIn,
  outsideAccessOf,
} from '../answer/outside-access.js';
import { isOpenToAll } from '../decide/public-paths.js';
import type { AppAccess } from '../stack/apps.js';
import type { DirectionProof } from './proof.js';

/**
 * Compares two versions of an app by the ways in that no rule of the directory decides: accounts at
 * other providers, tokens of other issuers, and tokens for other audiences and of other
 * applications.
 */
export function proveOutsideDirectory(
  app: AppAccess,
  otherVersion: AppAccess | undefined,
  when: 'now' | 'before',
): DirectionProof {
  // the caller compares what a browser without a session reaches
  if (isOpenToAll(app) || (otherVersion !== undefined && isOpenToAll(otherVersion)))
    return { verdict: 'none' };
  const [newEntry] = outsideAccessOnlyIn(app, otherVersion);
  if (newEntry !== undefined) {
    const { who, provider, source, isRepointed } = newEntry;
    return {
      verdict: 'new',
      example: { attributes: { provider } },
      reasons: [
        `${when}: ${who}${isRepointed ? `, which are those of ${source} and were not` : ''}`,
      ],
      ...(isRepointed && { admittedBy: `its accounts are those of ${source}` }),
    };
  }
  const otherEntries = new Map(outsideAccessOf(otherVersion).map((each) => [each.provider, each]));
  const unknownReasons = outsideAccessOf(app)
    .filter((entry) => mayLetInMore(entry, otherEntries.get(entry.provider)))
    .map(({ who }) => `what ${who} must hold changed: it is not decided for all`);
  unknownReasons.push(...describeAcceptedTokens(app, otherVersion));
  return unknownReasons.length === 0
    ? { verdict: 'none' }
    : { verdict: 'unknown', reasons: unknownReasons };
}

/** Whether accounts may get in this way that another version of it refuses. */
function mayLetInMore(entry: OutsideAccess, other: OutsideAccess | undefined): boolean {
  if (entry.otherRules !== other?.otherRules) return true;
  const isOnlyNarrower = entry.isLimited && !other.isLimited;
  return entry.rules !== other.rules && !isOnlyNarrower;
}

/**
 * Describes tokens of the directory that only one of two apps accepts, by audience or application.
 */
function describeAcceptedTokens(
  app: AppAccess,
  otherVersion: AppAccess | undefined,
): readonly string[] {
  const [settings, otherSettings] = [app, otherVersion].map(
    (each) => each?.directorySignIn?.settings,
  );
  if (settings === undefined || otherSettings === undefined) return [];
  const audiences = settings.audiences.filter((each) => !otherSettings.audiences.includes(each));
  const isOpened = (list: 'applications' | 'claimApplications'): boolean => {
    const [now, then] = [settings.policy[list], otherSettings.policy[list]];
    return then.length > 0 && (now.length === 0 || now.some((each) => !then.includes(each)));
  };
  const reasons =
    audiences.length === 0
      ? []
      : [`tokens for ${audiences.join(', ')} are taken: who gets one is not decided`];
  if (isOpened('applications') || isOpened('claimApplications'))
    reasons.push('other applications may call: whose tokens they hold is not decided');
  return reasons;
}
