import type { Severity } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Rule } from './rule.js';

/** How a change affects who gets into an app, in numbers and names. */
export interface AccessSubject {
  /** The name of the app's declaration. */
  readonly app: string;
  /**
   * How many people gain and lose access according to the directory, and how many have it after
   * the change.
   */
  readonly gainedCount: number;
  /** How many of those who gain access are guests. */
  readonly gainedGuestCount: number;
  readonly lostCount: number;
  /** Includes those who gain it; always 1 for an app that the change does not affect. */
  readonly countAfter: number;
  /** Paths that become public; `/*` for the whole app. */
  readonly gainedPublicPaths: readonly string[];
  /** Providers at which any account now gets in, also those that have other accounts than before. */
  readonly openedProviders: readonly string[];
  /** The most frequent reasons for gaining and losing access. */
  readonly whyGained: string;
  readonly whyLost: string;
  /** People without access who can give it to themselves since the change, and how. */
  readonly selfService: readonly {
    readonly who: string;
    readonly by: string;
    /** Whether it is a user who is not among the people that were read. */
    readonly isUnknownUser: boolean;
  }[];
  /** How many people cannot be decided since the change. */
  readonly unknownCount: number;
  /** What the change does to all possible people; absent for a new app. */
  readonly changeProof?: {
    readonly gain: ProofSummary;
    readonly loss: ProofSummary;
    /** Whether nobody can get in any more, whatever their attributes. */
    readonly isClosed: boolean;
  };
}

/** Whether somebody may exist who gets in on one side of a change only. */
export interface ProofSummary {
  /** `none` is proved; `new`: somebody may, with an example; `unknown`: neither is certain. */
  readonly verdict: 'none' | 'new' | 'unknown';
  /** An example of such a person, in words. */
  readonly who: string;
  readonly why: string;
  /** With the verdict `unknown`: somebody who perhaps gets in on the other side, too. */
  readonly uncertainWho?: string;
}

/** A finding of an access rule about a change. */
export interface AccessReport {
  readonly messageId: string;
  /** Relative to the app. */
  readonly path?: ConfigPath;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The severity of this finding, if it differs. @default the rule's */
  readonly severity?: Severity;
}

/** A rule about how a change affects who gets in, not about declarations. */
export interface AccessRule extends Omit<
  Rule,
  'check' | 'sections' | 'scope' | 'reportsSchemaMistakesOf' | 'reads'
> {
  check(
    subject: AccessSubject,
    options: Readonly<Record<string, unknown>>,
    report: (report: AccessReport) => void,
  ): void;
}

/** A number of people, in words. */
export function peopleCountText(count: number): string {
  return count === 1 ? '1 person' : `${String(count)} people`;
}

/** The entry of an access rule in the catalogue, which lists all rules. */
export function accessCatalogueRule({ check: _check, ...rule }: AccessRule): Rule {
  return { ...rule, sections: [] };
}
