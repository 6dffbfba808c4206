import { base, comparable, exact, flag, instant, orderable, type PropertyRules, type QueryRules, strings } from '../property-rules.js';

const members = (...names: readonly string[]): Readonly<Record<string, PropertyRules>> =>
  Object.fromEntries(
    names.map((name) => [name, { type: name === 'isEnabled' ? 'boolean' : 'string', default: ['eq'], advanced: ['not', 'startsWith'] }]),
  );
const keyed = (...names: readonly string[]): PropertyRules => ({
  type: 'collection',
  default: ['eq'],
  advanced: ['not', '$count'],
  members: members(...names),
});

/** What queries may ask of applications. */
export const applicationQueryRules: QueryRules = {
  resource: 'Application',
  properties: {
    ...base,
    appId: exact,
    applicationTemplateId: exact,
    appRoles: keyed('id', 'value', 'displayName', 'isEnabled'),
    createdDateTime: { ...instant, default: ['eq', 'ge', 'le', 'in'] },
    description: { type: 'string', default: ['eq', 'startsWith'], advanced: ['ne', 'not', 'ge', 'le'], search: 'tokens' },
    displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
    groupMembershipClaims: comparable,
    identifierUris: strings,
    isFallbackPublicClient: flag,
    keyCredentials: keyed('keyId'),
    passwordCredentials: keyed('keyId'),
    publisherDomain: comparable,
    requiredResourceAccess: keyed('resourceAppId'),
    serviceManagementReference: exact,
    signInAudience: comparable,
    tags: strings,
    uniqueName: exact,
  },
  relationships: { owners: { expand: true, count: true } },
};

/** What queries may ask of service principals. */
export const servicePrincipalQueryRules: QueryRules = {
  resource: 'ServicePrincipal',
  properties: {
    ...base,
    accountEnabled: { ...flag, default: ['eq', 'in'], advanced: ['ne', 'not'] },
    alternativeNames: strings,
    appDisplayName: comparable,
    appId: exact,
    applicationTemplateId: exact,
    appOwnerOrganizationId: exact,
    appRoleAssignmentRequired: flag,
    appRoles: keyed('id', 'value', 'displayName', 'isEnabled'),
    description: { type: 'string', default: ['eq', 'startsWith'], advanced: ['ne', 'not', 'ge', 'le'], search: 'tokens' },
    displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
    homepage: exact,
    keyCredentials: keyed('keyId'),
    oauth2PermissionScopes: keyed('id', 'value', 'isEnabled'),
    passwordCredentials: keyed('keyId'),
    preferredSingleSignOnMode: exact,
    replyUrls: strings,
    servicePrincipalNames: strings,
    servicePrincipalType: exact,
    signInAudience: exact,
    tags: strings,
  },
  relationships: {
    owners: { expand: true, count: true },
    memberOf: { expand: true },
    appRoleAssignments: { expand: true },
    appRoleAssignedTo: { expand: true },
    claimsMappingPolicies: { expand: true },
  },
};
