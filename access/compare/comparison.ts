import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import type { AccessTarget } from '../answer/visit.js';
import type { AccessModel } from '../model.js';
import type { ChangeProof } from '../prove/proof.js';
import type { AppChange } from './compare.js';

/** The data of a comparison, independent of the format. */
export interface AccessComparison {
  /** The environment, where it is compared in addition to the one without an overlay. */
  readonly environment?: string;
  /**
   * The comparisons in the other environments. The findings of all of them are here, accepted ones,
   * too, and an equal one is here once.
   *
   * @default none
   */
  readonly otherEnvironments?: readonly AccessComparison[];
  /** What is compared with: `origin/main`. */
  readonly ref: string;
  /** The sign-in layer that answers. */
  readonly target: AccessTarget;
  /** One for each app, also where nothing changes. */
  readonly changes: readonly AppChange[];
  /** What each change does to all possible people, known or not. */
  readonly proofs: ReadonlyMap<AppChange, ChangeProof>;
  /** What the access rules say about the changes. */
  readonly findings: readonly Finding[];
  /** The findings that suppressions and the baseline accept. */
  readonly accepted: readonly Finding[];
  /** The model after the change. */
  readonly head: AccessModel;
  /** The model before the change. */
  readonly base: AccessModel;
}

/** A comparison, and those in the other environments. */
export function environmentComparisons(comparison: AccessComparison): readonly AccessComparison[] {
  return [comparison, ...(comparison.otherEnvironments ?? [])];
}

/** The exit code of a comparison, as that of `check`. */
export function exitCodeOf({ findings }: AccessComparison): number {
  return findings.some(({ severity }) => severity !== 'info')
    ? exitCodes.findings
    : exitCodes.clean;
}
