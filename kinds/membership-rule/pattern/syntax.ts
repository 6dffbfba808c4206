/** Whether a character (a code point) belongs to a set. */
export type CharacterTest = (character: number) => boolean;

/** A parsed pattern. */
export type PatternNode =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'start' | 'end' | 'wordBoundary' | 'noWordBoundary' };

/** Why a text is not a pattern. */
export class PatternError extends Error {}
