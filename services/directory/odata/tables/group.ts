import { base, flag, orderable, type PropertyRules, type QueryRules } from '../property-rules.js';

/**
 * What queries may ask of groups: the operators are those of the directory rules, "Group properties"; which of them need an advanced query is the
 * cloud's published table, and where that has no row: negations, `eq null`, `endsWith` and `/$count` do.
 */
export const groupQueryRules: QueryRules = {
  resource: 'Group',
  properties: {
    ...base,
    displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
    description: { type: 'string', default: ['eq', 'startsWith'], advanced: ['ne', 'not', 'ge', 'le'], search: 'tokens' },
    mailEnabled: { ...flag, advanced: ['ne', 'not'] },
    securityEnabled: { ...flag, advanced: ['ne', 'not', 'in'] },
    isAssignableToRole: { ...flag, advanced: ['ne', 'not'] },
    mailNickname: text(['eq', 'ge', 'le', 'in', 'startsWith'], ['ne', 'not', 'eq null'], 'prefix'),
    mail: text(['eq', 'ge', 'le', 'in', 'startsWith'], ['ne', 'not', 'endsWith', 'eq null'], 'prefix'),
    groupTypes: { type: 'collection', default: ['eq'], advanced: ['not'] },
    classification: text(['eq', 'ge', 'le', 'startsWith'], ['ne', 'not']),
    membershipRule: text(['eq', 'ge', 'le', 'startsWith'], ['ne', 'not']),
    membershipRuleProcessingState: text(['eq', 'in'], ['ne', 'not']),
    createdDateTime: { type: 'date', default: ['eq', 'ge', 'le'], advanced: ['ne', 'not', 'in'] },
    deletedDateTime: { type: 'date', default: ['eq', 'ge', 'le'], advanced: ['ne', 'not', 'in'], orderby: 'advanced' },
    expirationDateTime: { type: 'date', default: ['eq', 'ge', 'le', 'in'], advanced: ['ne', 'not'] },
    renewedDateTime: { type: 'date', default: ['eq', 'ge', 'le', 'in'], advanced: ['ne', 'not'] },
    assignedLicenses: {
      type: 'collection',
      default: ['eq'],
      advanced: ['not', '$count'],
      members: { skuId: { type: 'guid', default: ['eq'], advanced: ['not'] } },
    },
    hasMembersWithLicenseErrors: { type: 'boolean', default: ['eq'] },
    onPremisesLastSyncDateTime: { type: 'date', advanced: ['eq', 'ne', 'not', 'ge', 'le', 'in'] },
    onPremisesProvisioningErrors: {
      type: 'collection',
      default: ['eq'],
      advanced: ['not'],
      members: {
        category: { type: 'string', default: ['eq'], advanced: ['not'] },
        propertyCausingError: { type: 'string', default: ['eq'], advanced: ['not'] },
      },
    },
    onPremisesSamAccountName: { type: 'string', advanced: ['eq', 'ne', 'not', 'ge', 'le', 'in', 'startsWith'] },
    onPremisesSecurityIdentifier: { type: 'string', default: ['eq', 'in'], advanced: ['ne', 'eq null'] },
    onPremisesSyncEnabled: { type: 'boolean', default: ['eq', 'in'], advanced: ['ne', 'not', 'eq null'] },
    preferredLanguage: { type: 'string', advanced: ['eq', 'ne', 'not', 'ge', 'le', 'in', 'startsWith', 'eq null'] },
    proxyAddresses: { type: 'collection', default: ['eq', 'ge', 'le', 'startsWith'], advanced: ['not', 'endsWith', '$count', 'eq null'] },
    infoCatalogs: { type: 'collection', default: ['eq', 'ge', 'le', 'startsWith'], advanced: ['ne', 'not'] },
    resourceProvisioningOptions: { type: 'collection', default: ['eq', 'startsWith'], advanced: ['not'] },
    serviceProvisioningErrors: {
      type: 'collection',
      default: ['eq'],
      advanced: ['not'],
      members: {
        isResolved: { type: 'boolean', default: ['eq'], advanced: ['not'] },
        serviceInstance: { type: 'string', default: ['eq'], advanced: ['not'] },
      },
    },
    uniqueName: text(['eq'], ['ne', 'not']),
  },
  relationships: {
    members: { expand: true },
    owners: { expand: true, count: true },
    memberOf: { expand: true },
    appRoleAssignments: { expand: true },
  },
};

function text(
  plain: NonNullable<PropertyRules['default']>,
  advanced: NonNullable<PropertyRules['advanced']>,
  search?: 'prefix',
): PropertyRules {
  return { type: 'string', default: plain, advanced, ...(search ? { search } : {}) };
}
