/** What a `$filter` may do with a property. `eq null` and `$count` stand for themselves in the operator tables. */
export type FilterOperator =
  'eq' | 'ne' | 'not' | 'gt' | 'ge' | 'lt' | 'le' | 'in' | 'startsWith' | 'endsWith' | 'contains' | 'eq null' | '$count';

/** The kind of value a property has, as far as queries care. */
export type PropertyType = 'string' | 'guid' | 'boolean' | 'number' | 'date' | 'object' | 'collection';

/** What queries may ask of one property. */
export interface PropertyRules {
  readonly type: PropertyType;
  /** Operators of plain queries. They work in advanced ones too. */
  readonly default?: readonly FilterOperator[];
  /** Operators of advanced queries only. */
  readonly advanced?: readonly FilterOperator[];
  /** `tokens`: every word of the search must begin a word of the text. `prefix`: the text must begin with the search. */
  readonly search?: 'tokens' | 'prefix';
  readonly orderby?: 'default' | 'advanced';
  /** For a collection of objects or an object: the properties that can be asked inside it. */
  readonly members?: Readonly<Record<string, PropertyRules>>;
}

/** What queries may ask of one type of object. */
export interface QueryRules {
  /** The type's name in errors, such as `Group`. */
  readonly resource: string;
  readonly properties: Readonly<Record<string, PropertyRules>>;
  /** Relationships that `$expand` takes, and whether `$filter` may ask their `$count`. */
  readonly relationships: Readonly<Record<string, { readonly expand?: boolean; readonly count?: boolean }>>;
}

/** The rules of a path, descending into objects. */
export function rulesOf(rules: QueryRules, segments: readonly string[]): PropertyRules | undefined {
  let members: Readonly<Record<string, PropertyRules>> | undefined = rules.properties;
  let found: PropertyRules | undefined;
  for (const segment of segments) {
    found = members && Object.hasOwn(members, segment) ? members[segment] : undefined;
    members = found?.members;
  }
  return found;
}
