import {
  advancedText,
  comparableText,
  objectRules,
  descriptionText,
  sameRules,
  booleanRules,
  objectCollection,
  licenceCollection,
  sortableText,
  type PropertyRules,
  type QueryRules,
  withPrefixSearch,
  stringCollection,
} from '../odata/property-rules.js';

/** A collection of objects, filtered by the properties of the objects, but not by `/$count`. */
const collectionWithoutCount = (
  innerProperties: NonNullable<PropertyRules['innerProperties']>,
): PropertyRules => ({
  ...objectCollection(),
  advanced: ['not'],
  innerProperties,
});

/**
 * Query rules of groups: the operators are those of the Directory rules, "Group properties"; the
 * cloud's published table says which need an advanced query, and where it has no row, negations,
 * `eq null`, `endsWith` and `/$count` do.
 */
export const groupQueryRules: QueryRules = {
  resource: 'Group',
  properties: {
    ...objectRules,
    description: descriptionText,
    displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
    mailNickname: withPrefixSearch(comparableText),
    mail: withPrefixSearch({ ...comparableText, advanced: ['ne', 'not', 'endsWith', 'eq null'] }),
    uniqueName: { type: 'string', default: ['eq'], advanced: ['ne', 'not'] },
    ...sameRules(
      { type: 'string', default: ['eq', 'ge', 'le', 'startsWith'], advanced: ['ne', 'not'] },
      'classification',
      'membershipRule',
    ),
    membershipRuleProcessingState: {
      type: 'string',
      default: ['eq', 'in'],
      advanced: ['ne', 'not'],
    },
    onPremisesSamAccountName: advancedText,
    onPremisesSecurityIdentifier: {
      type: 'string',
      default: ['eq', 'in'],
      advanced: ['ne', 'eq null'],
    },
    preferredLanguage: { ...advancedText, advanced: [...(advancedText.advanced ?? []), 'eq null'] },
    ...sameRules({ ...booleanRules, advanced: ['ne', 'not'] }, 'mailEnabled', 'isAssignableToRole'),
    securityEnabled: booleanRules,
    hasMembersWithLicenseErrors: { type: 'boolean', default: ['eq'] },
    onPremisesSyncEnabled: {
      type: 'boolean',
      default: ['eq', 'in'],
      advanced: ['ne', 'not', 'eq null'],
    },
    createdDateTime: { type: 'date', default: ['eq', 'ge', 'le'], advanced: ['ne', 'not', 'in'] },
    deletedDateTime: {
      type: 'date',
      default: ['eq', 'ge', 'le'],
      advanced: ['ne', 'not', 'in'],
      orderby: 'advanced',
    },
    ...sameRules(
      { type: 'date', default: ['eq', 'ge', 'le', 'in'], advanced: ['ne', 'not'] },
      'expirationDateTime',
      'renewedDateTime',
    ),
    onPremisesLastSyncDateTime: { type: 'date', advanced: ['eq', 'ne', 'not', 'ge', 'le', 'in'] },
    groupTypes: { type: 'collection', default: ['eq'], advanced: ['not'] },
    proxyAddresses: stringCollection,
    infoCatalogs: {
      type: 'collection',
      default: ['eq', 'ge', 'le', 'startsWith'],
      advanced: ['ne', 'not'],
    },
    resourceProvisioningOptions: {
      type: 'collection',
      default: ['eq', 'startsWith'],
      advanced: ['not'],
    },
    assignedLicenses: licenceCollection,
    onPremisesProvisioningErrors: collectionWithoutCount(
      sameRules(
        { type: 'string', default: ['eq'], advanced: ['not'] },
        'category',
        'propertyCausingError',
      ),
    ),
    serviceProvisioningErrors: collectionWithoutCount({
      isResolved: { type: 'boolean', default: ['eq'], advanced: ['not'] },
      serviceInstance: { type: 'string', default: ['eq'], advanced: ['not'] },
    }),
  },
  expand: ['members', 'owners', 'memberOf', 'appRoleAssignments'],
  countFilters: ['owners'],
};
