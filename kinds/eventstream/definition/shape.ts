/** The form that a part of an eventstream definition must have; `check-shape.ts` holds documents against it. */
export type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text'; readonly oneOf?: readonly string[]; readonly uuid?: true; readonly mayBeEmpty?: true }
  | { readonly kind: 'number'; readonly integer?: true; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'list'; readonly of: Shape; readonly least?: number }
  | ObjectShape
  | { readonly kind: 'choice'; readonly by: string; readonly common: ObjectShape; readonly cases: Readonly<Record<string, ObjectShape>> };

/** An object: what it must have, and what it may have. Further properties pass unless they look like a misspelling of a known one. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly required: Readonly<Record<string, Shape>>;
  readonly optional: Readonly<Record<string, Shape>>;
  /** No further properties at all. */
  readonly closed?: true;
}

/** Any non-empty text. */
export const text: Shape = { kind: 'text' };
/** An id. */
export const uuid: Shape = { kind: 'text', uuid: true };
/** A whole number. */
export const integer: Shape = { kind: 'number', integer: true };
/** True or false. */
export const boolean: Shape = { kind: 'boolean' };
/** Anything at all. */
export const any: Shape = { kind: 'any' };

/** One of some words. */
export function oneOf(...words: readonly string[]): Shape {
  return { kind: 'text', oneOf: words };
}

/** A list. */
export function list(of: Shape, least = 0): Shape {
  return { kind: 'list', of, least };
}

/** An object by its required and optional properties. */
export function object(required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): ObjectShape {
  return { kind: 'object', required, optional };
}

/** An object whose further form hangs on the word in one of its properties. */
export function choice(by: string, cases: Readonly<Record<string, ObjectShape>>, common: ObjectShape = object({})): Shape {
  return { kind: 'choice', by, common, cases };
}
