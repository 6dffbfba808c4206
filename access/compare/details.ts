import { countNoun } from '../answer/report.js';
import { type CloudDifference, cloudDifferences } from '../decide/cloud-differences.js';
import type { AccessModel } from '../model.js';
import type { DirectionProof } from '../prove/proof.js';
import { describeDirection } from '../prove/proof-text.js';
import { type AppChange, changesCurrentAccess } from './compare.js';
import type { AccessComparison } from './comparison.js';
import { controllerChanges } from './controller-changes.js';

/** One line about a change: whom it lets in or shuts out, and why. */
export interface Detail {
  /** `new` and `lost` are about people who may exist, the others about those of today. */
  readonly sign: '+' | '-' | '?' | '=' | 'new' | 'lost';
  /** The people, in words: `3 people (ada@contoso.example, …)`; or `in the cloud`. */
  readonly who: string;
  /** The reason, in words; empty where there is none to give. */
  readonly why: string;
  readonly text: string;
}

/** Possible differences in the cloud for an app after the change, where that is the target. */
export function cloudDifferencesOfChange(
  { appAfter }: AppChange,
  { target }: AccessComparison,
): readonly CloudDifference[] {
  return target === 'azure' && appAfter !== undefined ? cloudDifferences(appAfter) : [];
}

/** What a change does to people of today, to paths, and at other providers. */
export function changeDetails(change: AppChange, comparison: AccessComparison): Detail[] {
  const { head } = comparison;
  const detail = (sign: Detail['sign'], who: string, why: string): Detail => ({
    sign,
    who,
    why,
    text: why === '' ? who : `${who}: ${why}`,
  });
  const details: Detail[] = [];
  for (const { direction, why, count, examples } of change.reasons) {
    const names = examples.map((personIndex) => personName(personIndex, head)).join(', ');
    const more = count > examples.length ? ', …' : '';
    details.push(
      detail(
        direction === 'gained' ? '+' : '-',
        `${countNoun(count, 'person', 'people')} (${names}${more})`,
        why,
      ),
    );
  }
  for (const path of change.publicGained)
    details.push(
      detail(
        '+',
        'a browser without a session',
        path === '/*' ? 'is open to everyone now' : `${path} becomes public`,
      ),
    );
  for (const path of change.publicLost)
    details.push(
      detail(
        '-',
        'a browser without a session',
        `${path === '/*' ? 'the app' : path} is not public any more`,
      ),
    );
  for (const { who, source, isRepointed, isLimitedElsewhere } of change.outsideAccessGained)
    details.push(
      detail(
        '+',
        who,
        isRepointed
          ? `its accounts are those of ${source} now`
          : isLimitedElsewhere
            ? 'no group or claim is required any more'
            : 'the provider is offered now',
      ),
    );
  for (const { who, source, isRepointed, isLimitedElsewhere } of change.outsideAccessLost)
    details.push(
      detail(
        '-',
        who,
        isRepointed
          ? `its accounts are not those of ${source} any more`
          : isLimitedElsewhere
            ? 'a group or claim is required now'
            : 'the provider is not offered any more',
      ),
    );
  if (change.unknownCount > 0)
    details.push(
      detail('?', countNoun(change.unknownCount, 'person', 'people'), 'cannot be determined'),
    );
  const controllers = controllerChanges(change, comparison);
  for (const { who, by } of controllers.gained)
    details.push(detail('+', who, `can let others in: ${by}`));
  for (const { who, by } of controllers.lost)
    details.push(detail('-', who, `can not let others in any more: ${by}`));
  if (change.keptCount !== undefined && change.keptCount > 0)
    details.push(detail('=', countNoun(change.keptCount, 'person', 'people'), 'as before'));
  for (const { what } of cloudDifferencesOfChange(change, comparison))
    details.push(detail('?', 'in the cloud', what));
  return details;
}

/**
 * Whether a change makes a difference: for somebody known, for anybody who may exist, or in who can
 * let others in.
 */
export function hasEffect(change: AppChange, comparison: AccessComparison): boolean {
  const proof = comparison.proofs.get(change);
  if (
    changesCurrentAccess(change) ||
    proof?.gain.verdict !== 'none' ||
    proof.loss.verdict !== 'none'
  )
    return true;
  const { gained, lost } = controllerChanges(change, comparison);
  return gained.length + lost.length > 0;
}

/**
 * What a change does to all possible people, in words; a path or a provider that is open to all is
 * among the other details.
 */
export function proofDetails(change: AppChange, { proofs }: AccessComparison): Detail[] {
  const proof = proofs.get(change);
  if (proof === undefined) return [];
  return (['gain', 'loss'] as const).flatMap((direction): Detail[] => {
    const directionProof = proof[direction];
    if (direction === 'loss' && directionProof.verdict === 'none') return [];
    if (isOpenToAnyone(directionProof, change)) return [];
    const { who, why } = describeDirection(directionProof);
    const sign = direction === 'gain' ? 'new' : 'lost';
    return [{ sign, who, why, text: `${who}${why === '' ? '' : ` (${why})`}` }];
  });
}

/** Whether an example is a browser without a session or an account elsewhere that details name. */
function isOpenToAnyone({ example }: DirectionProof, change: AppChange): boolean {
  if (example === undefined) return false;
  const { attributes, path, signedIn = false } = example;
  const { provider } = attributes;
  if (typeof provider === 'string')
    return [...change.outsideAccessGained, ...change.outsideAccessLost].some(
      (each) => each.provider === provider,
    );
  return (
    path !== undefined && !signedIn && change.publicGained.length + change.publicLost.length > 0
  );
}

/** A person of the directory, by name where there is one. */
export function personName(personIndex: number, { memberships }: AccessModel): string {
  const { body, id } = memberships.person(personIndex);
  return body.userPrincipalName ?? id;
}
