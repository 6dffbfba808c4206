import { sql } from 'kysely';
import {
  type JsonForm,
  jsonOperand,
  type PropertyType,
  type QueryRules,
  type SqlMapping,
  type SqlOperand,
} from '../odata/index.js';
import { findPropertyRules } from '../odata/property-rules.js';
import type { Fragment, Sql } from '../store/sql.js';
import type { ObjectType } from './object-type.js';
import { relationNumbers } from '../store/links.js';

/** The columns in which filters find these properties of every type; their text is folded. */
const commonFilterColumns: Readonly<Record<string, string>> = {
  id: 'o.id',
  displayName: 'o.display_name',
  mail: 'o.mail',
  mailNickname: 'o.mail_nickname',
  userPrincipalName: 'o.user_principal_name',
  uniqueName: 'o.unique_name',
  appId: 'o.app_id',
};

/** Those of deleted objects. */
const deletedFilterColumns: Readonly<Record<string, string>> = {
  id: 'o.id',
  displayName: 'o.display_name',
};

/** The JSON form of each property type of the query rules. */
const jsonForms: Readonly<Record<PropertyType, JsonForm>> = {
  string: 'text',
  guid: 'text',
  boolean: 'boolean',
  number: 'number',
  date: 'date',
  collection: 'collection',
  object: 'text',
};

/**
 * Maps the properties of a type to columns and JSON values of `directory_object o`, or with
 * `deleted` of `directory_deleted_object o`.
 */
export function sqlMappingOf(
  engine: Sql['engine'],
  type: ObjectType | undefined,
  rules: QueryRules,
  deleted?: true,
): SqlMapping {
  return {
    engine,
    operand(segments): SqlOperand | undefined {
      const [name = ''] = segments;
      // Answers have whole seconds: 19 characters of the stored instant, without milliseconds.
      if (deleted && name === 'deletedDateTime')
        return { form: 'date', expression: sql`(substr(o.deleted_at, 1, 19) || 'Z')` };
      const lookupColumn = deleted
        ? deletedFilterColumns[name]
        : (type?.filterColumns?.[name] ?? commonFilterColumns[name]);
      const column = segments.length === 1 ? lookupColumn : undefined;
      if (column !== undefined) return { form: 'folded', expression: sql.raw(column) };
      const property = findPropertyRules(rules, segments);
      return property && jsonOperand(engine, 'o.body', segments, jsonForms[property.type]);
    },
    count(relationship): Fragment | undefined {
      const navigation = type?.navigations?.[relationship];
      if (!navigation || !('relations' in navigation)) return undefined;
      const numbers = relationNumbers(navigation.relations);
      return navigation.direction === 'out'
        ? sql`(select count(*) from directory_link c where c.source = o.number and c.relation in (${numbers}))`
        : sql`(select count(*) from directory_link c where c.target = o.number and c.relation in (${numbers}))`;
    },
  };
}

/**
 * A mapping in which only the objects of a condition have values, and the others their id.
 *
 * @param condition on `directory_object o`; undefined: all have them.
 */
export function withMaskedValues(mapping: SqlMapping, condition: Fragment | undefined): SqlMapping {
  if (condition === undefined) return mapping;
  return {
    engine: mapping.engine,
    operand(segments): SqlOperand | undefined {
      const operand = mapping.operand(segments);
      if (operand === undefined || segments[0] === 'id') return operand;
      return { ...operand, expression: maskExpression(operand.expression, condition) };
    },
    count(relationship): Fragment | undefined {
      const count = mapping.count?.(relationship);
      return count && maskExpression(count, condition);
    },
  };
}

/** An expression that is null for the objects outside a condition. */
export function maskExpression(expression: Fragment, condition: Fragment | undefined): Fragment {
  return condition === undefined ? expression : sql`case when ${condition} then ${expression} end`;
}

/** The column with the searchable words of a property, for `$search`. */
export function searchColumnOf(property: string): Fragment {
  return property === 'description' ? sql`o.description_words` : sql`o.display_name_words`;
}

/**
 * The query rules of mixed lists (members, owners, memberOf): the properties of all directory
 * objects.
 */
export const mixedListRules: QueryRules = {
  resource: 'DirectoryObject',
  properties: {
    id: { type: 'guid', operators: ['eq', 'in'], advancedOperators: ['ne', 'not'] },
    displayName: {
      type: 'string',
      operators: ['eq', 'startsWith'],
      advancedOperators: ['ne', 'not', 'in', 'ge', 'le', 'eq null'],
      search: 'tokens',
      orderby: 'advanced',
    },
    mail: {
      type: 'string',
      advancedOperators: ['eq', 'ne', 'not', 'in', 'startsWith', 'endsWith'],
      search: 'prefix',
    },
  },
};
