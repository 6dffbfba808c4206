import type { FilterOperator, PropertyRules } from '../property-rules.js';

/** What every directory object has. */
export const base = {
  id: { type: 'guid', default: ['eq', 'in'], advanced: ['ne', 'not'] },
} as const satisfies Record<string, PropertyRules>;

/** A Boolean property of directory objects. */
export const flag = { type: 'boolean', default: ['eq'], advanced: ['ne', 'not', 'in'] } as const satisfies PropertyRules;

/** The display name: sorted by, searched by words. */
export function orderable(plain: readonly FilterOperator[]): PropertyRules {
  return { type: 'string', default: plain, advanced: ['ne', 'not', 'eq null'], search: 'tokens', orderby: 'default' };
}

/** A string property that plain queries compare, and advanced ones negate. */
export const comparable: PropertyRules = {
  type: 'string',
  default: ['eq', 'ge', 'le', 'in', 'startsWith'],
  advanced: ['ne', 'not', 'eq null'],
};

/** A string property that plain queries only ask for equality. */
export const exact: PropertyRules = { type: 'string', default: ['eq', 'in'], advanced: ['ne', 'not', 'eq null'] };

/** A date that plain queries compare. */
export const instant: PropertyRules = { type: 'date', default: ['eq', 'ge', 'le'], advanced: ['ne', 'not', 'in'] };

/** A collection of strings, asked with `any`. */
export const strings: PropertyRules = {
  type: 'collection',
  default: ['eq', 'ge', 'le', 'startsWith'],
  advanced: ['not', 'endsWith', '$count', 'eq null'],
};
