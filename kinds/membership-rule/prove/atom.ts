import type { Automaton } from './automaton.js';
import type { Formula } from './formula.js';

/** What can be asked of a person or device: its values are chosen one by one. */
export type Attribute =
  | {
      readonly kind: 'text';
      /** The name, such as `user.department`. */
      readonly name: string;
      readonly isNullable: boolean;
      /** Constants as rules spell them, by small letters. */
      readonly spellings: Map<string, string>;
    }
  | {
      readonly kind: 'values';
      readonly name: string;
      /** A value of each kind that atoms tell apart. */
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
  readonly number: number;
  readonly attribute: Attribute;
  /** What the directory's evaluator says of a value. */
  readonly test: (value: unknown) => boolean;
  /** The texts that fulfil it, for an attribute with texts. */
  readonly automaton?: Automaton;
  /** The constant or pattern, if its letters are compared differently in other readings. */
  readonly ambiguousText?: string;
  /** Fulfilled when one entry fulfils this, for a collection. */
  readonly entryCondition?: Formula;
}

/** Values by attribute: what a formula needs to be true. */
export type Values = ReadonlyMap<Attribute, unknown>;
