import type { QueryRules } from '../odata/index.js';

/** What queries may ask of mixed lists (members, owners, memberOf): what all directory objects have. */
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
    mail: { type: 'string', advanced: ['eq', 'ne', 'not', 'in', 'startsWith', 'endsWith'], search: 'prefix' },
  },
  relationships: {},
};
