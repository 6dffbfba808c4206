/** The operators of `$filter`. `eq null` and `$count` count as operators. */
export type FilterOperator =
  | 'eq'
  | 'ne'
  | 'not'
  | 'gt'
  | 'ge'
  | 'lt'
  | 'le'
  | 'in'
  | 'startsWith'
  | 'endsWith'
  | 'contains'
  | 'eq null'
  | '$count';

/** The kind of a property's value in queries. */
export type PropertyType =
  'string' | 'guid' | 'boolean' | 'number' | 'date' | 'object' | 'collection';

/** The query rules of one property. */
export interface PropertyRules {
  readonly type: PropertyType;
  /** Operators of plain queries, also available in advanced ones. */
  readonly operators?: readonly FilterOperator[];
  /** Operators of advanced queries only. */
  readonly advancedOperators?: readonly FilterOperator[];
  /**
   * `tokens`: every word of the search must start a word of the text. `prefix`: the text must start
   * with the search.
   */
  readonly search?: 'tokens' | 'prefix';
  /** Whether lists are sorted by it: in every query, or in advanced ones. @default in none */
  readonly orderby?: 'default' | 'advanced';
  /** For objects and collections of objects: the rules of the objects' properties. */
  readonly innerProperties?: Readonly<Record<string, PropertyRules>>;
}

/** The query rules of one object type. */
export interface QueryRules {
  /** The type's name in errors, such as `Group`. */
  readonly resource: string;
  /** By name; those inside an object are `innerProperties` of its rules. */
  readonly properties: Readonly<Record<string, PropertyRules>>;
  /** Relationships that `$expand` supports in lists. @default none */
  readonly expand?: readonly string[];
  /** Relationships whose `$count` a `$filter` supports. @default none */
  readonly countFilters?: readonly string[];
}

/**
 * The rules of the property at a path, also of one inside an object; undefined if there are none.
 */
export function findPropertyRules(
  rules: QueryRules,
  segments: readonly string[],
): PropertyRules | undefined {
  let properties: Readonly<Record<string, PropertyRules>> | undefined = rules.properties;
  let property: PropertyRules | undefined;
  for (const segment of segments) {
    property = properties && Object.hasOwn(properties, segment) ? properties[segment] : undefined;
    properties = property?.innerProperties;
  }
  return property;
}

/** The properties of every directory object. */
export const commonPropertyRules = {
  id: { type: 'guid', operators: ['eq', 'in'], advancedOperators: ['ne', 'not'] },
} as const satisfies Record<string, PropertyRules>;

/** The same rules for several properties. */
export function sameRules<Rules extends PropertyRules>(
  rules: Rules,
  ...names: readonly string[]
): Readonly<Record<string, Rules>> {
  return Object.fromEntries(names.map((name) => [name, rules]));
}

/** The query rules of records that are not directory objects: strings with the same operators. */
export function textRules(
  resource: string,
  operators: readonly FilterOperator[] = [],
  ...names: readonly string[]
): QueryRules {
  return { resource, properties: sameRules({ type: 'string', operators }, ...names) };
}

/** A collection of objects, filtered with `any` on the named properties. */
export function objectCollection(...names: readonly string[]): PropertyRules {
  const rules = {
    type: 'string',
    operators: ['eq'],
    advancedOperators: ['not', 'startsWith'],
  } as const;
  return {
    type: 'collection',
    operators: ['eq'],
    advancedOperators: ['not', '$count'],
    innerProperties: sameRules(rules, ...names),
  };
}

/** A Boolean that plain queries compare by `eq` only. */
export const booleanRules = {
  type: 'boolean',
  operators: ['eq'],
  advancedOperators: ['ne', 'not', 'in'],
} as const satisfies PropertyRules;

/** A string by which lists are sorted and which is searched by words, such as the display name. */
export function sortableText(defaultOperators: readonly FilterOperator[]): PropertyRules {
  return {
    type: 'string',
    operators: defaultOperators,
    advancedOperators: ['ne', 'not', 'eq null'],
    search: 'tokens',
    orderby: 'default',
  };
}

/** A string that plain queries compare and advanced ones negate. */
export const comparableText: PropertyRules = {
  type: 'string',
  operators: ['eq', 'ge', 'le', 'in', 'startsWith'],
  advancedOperators: ['ne', 'not', 'eq null'],
};

/** A string that plain queries compare for equality only. */
export const exactText: PropertyRules = {
  type: 'string',
  operators: ['eq', 'in'],
  advancedOperators: ['ne', 'not', 'eq null'],
};

/** A date that plain queries compare. */
export const dateRules: PropertyRules = {
  type: 'date',
  operators: ['eq', 'ge', 'le'],
  advancedOperators: ['ne', 'not', 'in'],
};

/** A collection of strings, filtered with `any`. */
export const stringCollection: PropertyRules = {
  type: 'collection',
  operators: ['eq', 'ge', 'le', 'startsWith'],
  advancedOperators: ['not', 'endsWith', '$count', 'eq null'],
};

/** A string for advanced queries only. */
export const advancedText: PropertyRules = {
  type: 'string',
  advancedOperators: ['eq', 'ne', 'not', 'ge', 'le', 'in', 'startsWith'],
};

/** Adds search by prefix to the rules of a string. */
export function withPrefixSearch(rules: PropertyRules): PropertyRules {
  return { ...rules, search: 'prefix' };
}

/** A long text that is searched by words, such as the description. */
export const descriptionText: PropertyRules = {
  type: 'string',
  operators: ['eq', 'startsWith'],
  advancedOperators: ['ne', 'not', 'ge', 'le'],
  search: 'tokens',
};

/** The collection of assigned licences, filtered by their id. */
export const licenceCollection: PropertyRules = {
  type: 'collection',
  operators: ['eq'],
  advancedOperators: ['not', '$count'],
  innerProperties: { skuId: { type: 'guid', operators: ['eq'], advancedOperators: ['not'] } },
};
