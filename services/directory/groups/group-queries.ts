import {
  advancedText,
  comparableText,
  commonPropertyRules,
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
  advancedOperators: ['not'],
  innerProperties,
});

/**
 * Query rules of groups: the operators are those of the Directory rules, "Group properties"; the
 * cloud's published table says which need an advanced query. Where it has no row, negations,
 * `eq null`, `endsWith` and `/$count` need one.
 */
export const groupQueryRules: QueryRules = {
  resource: 'Group',
  properties: {
    ...commonPropertyRules,
    description: descriptionText,
    displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
    mailNickname: withPrefixSearch(comparableText),
    mail: withPrefixSearch({
      ...comparableText,
      advancedOperators: ['ne', 'not', 'endsWith', 'eq null'],
    }),
    uniqueName: { type: 'string', operators: ['eq'], advancedOperators: ['ne', 'not'] },
    ...sameRules(
      {
        type: 'string',
        operators: ['eq', 'ge', 'le', 'startsWith'],
        advancedOperators: ['ne', 'not'],
      },
      'classification',
      'membershipRule',
    ),
    membershipRuleProcessingState: {
      type: 'string',
      operators: ['eq', 'in'],
      advancedOperators: ['ne', 'not'],
    },
    onPremisesSamAccountName: advancedText,
    onPremisesSecurityIdentifier: {
      type: 'string',
      operators: ['eq', 'in'],
      advancedOperators: ['ne', 'eq null'],
    },
    preferredLanguage: {
      ...advancedText,
      advancedOperators: [...(advancedText.advancedOperators ?? []), 'eq null'],
    },
    ...sameRules(
      { ...booleanRules, advancedOperators: ['ne', 'not'] },
      'mailEnabled',
      'isAssignableToRole',
    ),
    securityEnabled: booleanRules,
    hasMembersWithLicenseErrors: { type: 'boolean', operators: ['eq'] },
    onPremisesSyncEnabled: {
      type: 'boolean',
      operators: ['eq', 'in'],
      advancedOperators: ['ne', 'not', 'eq null'],
    },
    createdDateTime: {
      type: 'date',
      operators: ['eq', 'ge', 'le'],
      advancedOperators: ['ne', 'not', 'in'],
    },
    deletedDateTime: {
      type: 'date',
      operators: ['eq', 'ge', 'le'],
      advancedOperators: ['ne', 'not', 'in'],
    },
    ...sameRules(
      { type: 'date', operators: ['eq', 'ge', 'le', 'in'], advancedOperators: ['ne', 'not'] },
      'expirationDateTime',
      'renewedDateTime',
    ),
    onPremisesLastSyncDateTime: {
      type: 'date',
      advancedOperators: ['eq', 'ne', 'not', 'ge', 'le', 'in'],
    },
    groupTypes: { type: 'collection', operators: ['eq'], advancedOperators: ['not'] },
    proxyAddresses: stringCollection,
    infoCatalogs: {
      type: 'collection',
      operators: ['eq', 'ge', 'le', 'startsWith'],
      advancedOperators: ['ne', 'not'],
    },
    resourceProvisioningOptions: {
      type: 'collection',
      operators: ['eq', 'startsWith'],
      advancedOperators: ['not'],
    },
    assignedLicenses: licenceCollection,
    onPremisesProvisioningErrors: collectionWithoutCount(
      sameRules(
        { type: 'string', operators: ['eq'], advancedOperators: ['not'] },
        'category',
        'propertyCausingError',
      ),
    ),
    serviceProvisioningErrors: collectionWithoutCount({
      isResolved: { type: 'boolean', operators: ['eq'], advancedOperators: ['not'] },
      serviceInstance: { type: 'string', operators: ['eq'], advancedOperators: ['not'] },
    }),
  },
  expand: ['members', 'owners', 'memberOf', 'appRoleAssignments'],
  countFilters: ['owners'],
};
