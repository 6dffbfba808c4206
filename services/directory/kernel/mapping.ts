import { sql } from 'kysely';
import {
  type JsonForm,
  jsonOperand,
  type QueryRules,
  type SqlMapping,
  type SqlOperand,
} from '../odata/index.js';
import type { Fragment, Sql } from '../store/sql.js';
import type { ObjectType } from './object-type.js';
import { relationNumbers } from '../store/links.js';

/** The lookup columns that every type has; their text is folded. */
const columns: Readonly<Record<string, string>> = {
  id: 'o.id',
  displayName: 'o.display_name',
  mail: 'o.mail',
  mailNickname: 'o.mail_nickname',
  userPrincipalName: 'o.user_principal_name',
  uniqueName: 'o.unique_name',
  appId: 'o.app_id',
};

/** The same for deleted objects. */
const deletedColumns: Readonly<Record<string, string>> = {
  id: 'o.id',
  displayName: 'o.display_name',
};

const forms: Readonly<Record<string, JsonForm>> = {
  string: 'text',
  guid: 'text',
  boolean: 'boolean',
  number: 'number',
  date: 'date',
  collection: 'collection',
  object: 'text',
};

/** Maps the properties of a type to columns and JSON values of `directory_object o`. */
export function mappingOf(
  engine: Sql['engine'],
  type: ObjectType | undefined,
  rules: QueryRules,
  deleted?: true,
): SqlMapping {
  return {
    engine,
    operand(segments): SqlOperand | undefined {
      const [name = ''] = segments;
      if (deleted && name === 'deletedDateTime')
        return { form: 'date', expression: sql`(substr(o.deleted_at, 1, 19) || 'Z')` };
      const known = deleted ? deletedColumns[name] : (type?.lookupColumns?.[name] ?? columns[name]);
      const column = segments.length === 1 ? known : undefined;
      if (column !== undefined) return { form: 'folded', expression: sql.raw(column) };
      const property = segments.reduce<
        { type: string; members?: QueryRules['properties'] } | undefined
      >((rule, segment) => rule?.members?.[segment], { type: 'object', members: rules.properties });
      return property && jsonOperand(engine, 'o.body', segments, forms[property.type] ?? 'text');
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

/** The column with the words of a property, for `$search`. */
export function searchColumnOf(property: string): Fragment {
  return property === 'description' ? sql`o.description_words` : sql`o.display_name_words`;
}

/**
 * The query rules of mixed lists (members, owners, memberOf): the properties of all directory
 * objects.
 */
export const directoryObjectRules: QueryRules = {
  resource: 'DirectoryObject',
  properties: {
    id: { type: 'guid', default: ['eq', 'in'], advanced: ['ne', 'not'] },
    displayName: {
      type: 'string',
      default: ['eq', 'startsWith'],
      advanced: ['ne', 'not', 'in', 'ge', 'le', 'eq null'],
      search: 'tokens',
      orderby: 'advanced',
    },
    mail: {
      type: 'string',
      advanced: ['eq', 'ne', 'not', 'in', 'startsWith', 'endsWith'],
      search: 'prefix',
    },
  },
};
