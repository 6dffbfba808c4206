import type { Field } from '../store/fields.js';

/** How a field is compared. */
export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';
/** How a text is looked into. */
export type TextTest = 'contains' | 'startswith' | 'endswith';

/** A filter that is understood: every field exists, every literal fits its field. Values are in stored form, '' for null. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'compare'; readonly field: Field; readonly operator: Comparison; readonly value: string }
  | { readonly kind: 'in'; readonly field: Field; readonly values: readonly string[] }
  | { readonly kind: 'test'; readonly field: Field; readonly test: TextTest; readonly text: string };

/** A key of an ordering. */
export interface OrderKey {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}
