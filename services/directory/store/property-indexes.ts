import { sql } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';
import { foldedProperty } from '../odata/index.js';
import type { Fragment } from './sql.js';

/** Properties of people that they are often looked up by, and that have no column of their own. */
export const indexedProperties = [
  'department',
  'jobTitle',
  'companyName',
  'givenName',
  'surname',
  'city',
  'country',
  'officeLocation',
] as const;

/** The name of a property's index. */
export function propertyIndex(property: string): string {
  return `directory_object_${property.toLowerCase()}`;
}

/** The statements that make the indexes: on the very expression that filters compare. */
export function propertyIndexes(engine: DatabaseEngine): Fragment[] {
  return indexedProperties.map(
    (property) =>
      sql`create index ${sql.raw(propertyIndex(property))} on directory_object (type, (${foldedProperty(engine, 'body', property)}))`,
  );
}
