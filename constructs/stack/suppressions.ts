import type { SourceLocation } from '../../core/findings/finding.js';
import type { Suppression } from '../../policies/check/policy/suppression-comments.js';
import type { IConstruct } from '../internal/cdktf.js';
import { callerLocation } from '../internal/caller-location.js';

/** Why a finding is accepted, and for how long. */
export interface SuppressionProps {
  /** Why the finding is accepted. */
  readonly reason: string;
  /** Who is responsible for it. */
  readonly owner: string;
  /** The last day on which it holds: YYYY-MM-DD. */
  readonly until: string;
}

/**
 * Accepts findings about a construct and those below it, as `suppressions` in castellan.policy.yaml
 * does. One that is not used, or whose last day is over, is a finding itself.
 *
 * @example
 * Suppressions.of(shoppers).add('group-two-owners', { reason: 'a second owner starts in May', owner: 'ada', until: '2027-06-01' });
 */
export class Suppressions {
  /** The suppressions of a construct. */
  static of(construct: IConstruct): Suppressions {
    return new Suppressions(construct);
  }

  private constructor(private readonly construct: IConstruct) {}

  /** Accepts the findings of a rule. */
  add(rule: string, { reason, owner, until }: SuppressionProps): void {
    const location: SourceLocation = callerLocation(Suppressions.prototype.add) ?? {
      file: '',
      line: 1,
      column: 1,
    };
    const suppression = { rule, reason, owner, until, location };
    suppressionsByConstruct.set(this.construct, [...suppressionsOn(this.construct), suppression]);
  }
}

const suppressionsByConstruct = new WeakMap<IConstruct, readonly Suppression[]>();

/** The suppressions of a construct, without those of constructs around it or below it. */
export function suppressionsOn(construct: IConstruct): readonly Suppression[] {
  return suppressionsByConstruct.get(construct) ?? [];
}
