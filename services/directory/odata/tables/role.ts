import { base, exact, orderable, type QueryRules } from '../property-rules.js';

/** What queries may ask of administrative units. */
export const unitQueryRules: QueryRules = {
  resource: 'AdministrativeUnit',
  properties: {
    ...base,
    description: { type: 'string', default: ['eq', 'startsWith'], advanced: ['ne', 'not', 'ge', 'le'], search: 'tokens' },
    displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
    visibility: exact,
  },
  relationships: { members: { expand: true }, scopedRoleMembers: { expand: true } },
};

/** What queries may ask of directory roles. */
export const directoryRoleQueryRules: QueryRules = {
  resource: 'DirectoryRole',
  properties: {
    ...base,
    description: exact,
    displayName: orderable(['eq', 'in', 'startsWith']),
    roleTemplateId: { type: 'guid', default: ['eq', 'in'] },
  },
  relationships: { members: { expand: true } },
};
