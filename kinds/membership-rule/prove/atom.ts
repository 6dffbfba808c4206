import type { Automaton } from './automaton.js';
import type { Formula } from './formula.js';

/** A property of a person or device, for which the solver chooses a value. */
export type Attribute =
  | {
      readonly kind: 'text';
      /** The name, such as `user.department`. */
      readonly name: string;
      /** Whether a person or device may have no value, which is null then. */
      readonly isNullable: boolean;
      /** Constants as rules spell them, by their lower case. */
      readonly spellings: Map<string, string>;
    }
  | {
      readonly kind: 'enumerated';
      readonly name: string;
      /** The values to try: at least one for each combination of atoms' results. */
      readonly values: unknown[];
    }
  | {
      readonly kind: 'collection';
      readonly name: string;
      /** The attribute of the entry itself, or those of its members by name. */
      readonly members: ReadonlyMap<string, Attribute>;
    };

/** A condition on one attribute. */
export interface Atom {
  /** Its index in `Atoms.byNumber`, by which formulas refer to it. */
  readonly number: number;
  readonly attribute: Attribute;
  /** Whether the directory's evaluator finds the condition true for a value. */
  readonly test: (value: unknown) => boolean;
  /** Accepts the texts that fulfil the condition, for a text attribute. */
  readonly automaton?: Automaton;
  /**
   * The constant or pattern, if its letters compare differently in another interpretation of what
   * is not documented (`interpretation.ts`).
   */
  readonly ambiguousText?: string;
  /** For a collection: the condition that one of its entries must fulfil. */
  readonly entryCondition?: Formula;
}

/** Values by attribute, with which a formula is true. */
export type Values = ReadonlyMap<Attribute, unknown>;
