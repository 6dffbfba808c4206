import type { ExampleAttributes } from '../../kinds/membership-rule/prove/index.js';
import type { AccessTarget } from '../answer/visit.js';

/** Options of proofs. */
export interface ProofOptions {
  /** The current time in milliseconds since 1970, for rules that compare with it. */
  readonly now: number;
  /** The limit of work for each question, in steps. */
  readonly effort?: number | undefined;
  /** Whose sign-in layer answers. @default sandbox */
  readonly target?: AccessTarget | undefined;
}

/**
 * A person who may exist, and for whom the change makes a difference. The names of the properties
 * are those of the JSON report.
 */
export interface ProofExample {
  /** The attributes that matter, by the names of the rule language; empty for anybody. */
  readonly attributes: ExampleAttributes;
  /** The person of the directory who would be this one with these attributes. */
  readonly like?: string;
  /** Groups without a rule of which the person is a member. */
  readonly groups?: readonly string[];
  /** Registrations of which the person has a role. */
  readonly roles?: readonly string[];
  /** The path that the example reaches; without `signedIn`, any browser reaches it. */
  readonly path?: string;
  /**
   * Whether somebody who has signed in reaches the path, and a browser without a session doesn't.
   */
  readonly signedIn?: true;
}

/** What a change does to all possible people, in one direction: whom it lets in, or shuts out. */
export interface DirectionProof {
  /**
   * `none` is proved; `new` has an example, which was replayed; `unknown` may have one, but whether
   * that person gets in on the other side of the change, too, is not known.
   */
  readonly verdict: 'none' | 'new' | 'unknown';
  /** A person for whom the change makes this difference; of `unknown`, perhaps. */
  readonly example?: ProofExample;
  /** Why, in sentences: what decides about the example, or why it is unknown. */
  readonly reasons?: readonly string[];
  /** The verdict of each path that needs something else, where the app has requirements by path. */
  readonly paths?: readonly (Pick<DirectionProof, 'verdict' | 'example' | 'reasons'> & {
    readonly path: string;
  })[];
  /** What lets the example in, in a few words: `the rule of shoppers`. */
  readonly admittedBy?: string;
}

/** What a change does to all possible people, known or not. */
export interface ChangeProof {
  readonly gain: DirectionProof;
  readonly loss: DirectionProof;
  /** Whether nobody can get in any more, whatever their attributes, and somebody could. */
  readonly isClosed: boolean;
}
