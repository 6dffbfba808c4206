import type { SourceLocation } from '../../core/findings/finding.js';
import type { Suppression } from '../../policies/check/policy/suppression-comments.js';
import type { Construct, IConstruct } from '../internal/cdktf.js';
import { creationFrame } from '../internal/creation-frame.js';

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
  private static readonly byConstruct = new WeakMap<IConstruct, Suppressions>();

  /** The suppressions of a construct. */
  static of(construct: IConstruct): Suppressions {
    const suppressions = Suppressions.byConstruct.get(construct) ?? new Suppressions();
    Suppressions.byConstruct.set(construct, suppressions);
    return suppressions;
  }

  /** The suppressions of a construct and of those below it, each with the path of its construct. */
  static below(scope: Construct): readonly (readonly [path: string, Suppression])[] {
    return scope.node.findAll().flatMap((each) => {
      const list = Suppressions.byConstruct.get(each)?.list ?? [];
      return list.map((suppression) => [each.node.path, suppression] as const);
    });
  }

  private readonly list: Suppression[] = [];

  private constructor() {}

  /** Accepts the findings of a rule. */
  add(rule: string, { reason, owner, until }: SuppressionProps): void {
    const location: SourceLocation = creationFrame(Suppressions.prototype.add) ?? {
      file: '',
      line: 1,
      column: 1,
    };
    this.list.push({ rule, reason, owner, until, location });
  }
}
