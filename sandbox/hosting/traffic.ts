import type { DeclaredApp } from '../../services/resource-manager/index.js';

/** A running revision with its traffic. */
export interface RevisionShare {
  readonly name: string;
  /** As the API has it: containers, volumes, scale. */
  readonly template: object;
  /** Its share of the requests to the app's address, in per cent. */
  readonly weight: number;
  /** The labels under which it can be reached alone. */
  readonly labels: readonly string[];
}

/** An entry of `configuration.ingress.traffic`. */
interface Traffic {
  /** Whether it is for the latest revision, which it then does not name. */
  readonly latestRevision?: boolean | null;
  readonly revisionName?: string | null;
  /** In per cent. */
  readonly weight?: number | null;
  readonly label?: string | null;
}

/**
 * The revisions that run here. In single mode the latest; in multiple mode the latest and those with
 * a share of the traffic or a label: no request could reach the others.
 */
export function revisionShares({ properties, revisions }: DeclaredApp): RevisionShare[] {
  const { activeRevisionsMode, ingress } = (properties['configuration'] ?? {}) as {
    activeRevisionsMode?: string;
    ingress?: { traffic?: readonly Traffic[] | null } | null;
  };
  const latest = revisions.at(-1);
  if (latest === undefined) return [];
  const traffic = ingress?.traffic ?? [];
  const revisionOf = ({ latestRevision, revisionName }: Traffic): string =>
    latestRevision === true ? latest.name : (revisionName ?? '');
  const labelsOf = (entries: readonly Traffic[]): string[] =>
    entries.flatMap(({ label }) => (label ? [label] : []));
  if (activeRevisionsMode?.toLowerCase() !== 'multiple' || traffic.length === 0)
    return [
      {
        ...latest,
        weight: 100,
        labels: labelsOf(traffic.filter((each) => revisionOf(each) === latest.name)),
      },
    ];
  return revisions.flatMap((revision) => {
    const entries = traffic.filter((each) => revisionOf(each) === revision.name);
    const weight = entries.reduce((sum, each) => sum + (each.weight ?? 0), 0);
    const labels = labelsOf(entries);
    return weight > 0 || labels.length > 0 || revision === latest
      ? [{ ...revision, weight, labels }]
      : [];
  });
}

/**
 * The revision for the next request, by weight.
 *
 * @param draw a random number from 0 up to 1.
 */
export function pickByWeight<T extends { readonly weight: number }>(
  shares: readonly T[],
  draw: number,
): T | undefined {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  let rest = draw * total;
  for (const share of shares) {
    rest -= share.weight;
    if (rest < 0) return share;
  }
  return undefined;
}
