/** The limits of a group (spec 001, "Group properties", "Group relationships" and "Limits"): the only place that states them. */
export const groupLimits = {
  displayName: { minLength: 1, maxLength: 256 },
  /** ASCII 0-127 without @ ( ) \ [ ] " ; : < > , and space. */
  mailNickname: { minLength: 1, maxLength: 64, pattern: "^[\\u0000-\\u001f!#-'*+\\-./0-9=?A-Z\\^_`a-z{|}~$%&\\u007f]+$" },
  owners: { maxItems: 100, recommended: 2 },
  bindsPerRequest: 20,
  membershipRule: { maxLength: 3072 },
  /** The groups that a `memberOf` rule may name. */
  membershipRuleSources: { maxItems: 50 },
  /** How many groups of these kinds a tenant may have. */
  perTenant: { roleAssignable: 500, dynamic: 15_000, memberOfRules: 500 },
  deletedForDays: 30,
  visibility: ['Private', 'Public', 'HiddenMembership'],
  theme: ['Teal', 'Purple', 'Green', 'Blue', 'Pink', 'Orange', 'Red'],
  membershipRuleProcessingState: ['On', 'Paused'],
  groupTypes: ['Unified', 'DynamicMembership'],
  resourceProvisioningOptions: ['Team'],
  resourceBehaviorOptions: [
    'AllowOnlyMembersToPost',
    'CalendarMemberReadOnly',
    'ConnectorsDisabled',
    'HideGroupInOutlook',
    'SkipExchangeInstantOn',
    'SubscribeMembersToCalendarEventsDisabled',
    'SubscribeNewGroupMembers',
    'WelcomeEmailDisabled',
  ],
  settingTemplates: ['Group.Unified', 'Group.Unified.Guest', 'Group.Security', 'Group.Security.Policies'],
} as const;

/** What may be a member of what (spec 001, the two membership tables). */
export const membershipMatrix = {
  user: { security: true, unified: true },
  securityGroup: { security: true, unified: false },
  unifiedGroup: { security: false, unified: false },
  device: { security: true, unified: false },
  servicePrincipal: { security: true, unified: false },
  contact: { security: true, unified: false },
} as const;

/** Properties kept outside the main store: never in one body with others, never in a delta (spec 001, "Propagation rule"). */
export const outsideStoreProperties = [
  'accessType',
  'allowExternalSenders',
  'autoSubscribeNewMembers',
  'cloudLicensing',
  'hideFromAddressLists',
  'hideFromOutlookClients',
  'isFavorite',
  'isSubscribedByMail',
  'unseenConversationsCount',
  'unseenCount',
  'unseenMessagesCount',
  'membershipRuleProcessingStatus',
  'isArchived',
] as const;

/** Properties that only the service sets (spec 001, the rows marked read-only). */
export const readOnlyGroupProperties = [
  'id',
  'mail',
  'createdDateTime',
  'deletedDateTime',
  'expirationDateTime',
  'renewedDateTime',
  'assignedLicenses',
  'hasMembersWithLicenseErrors',
  'licenseProcessingState',
  'isManagementRestricted',
  'onPremisesDomainName',
  'onPremisesNetBiosName',
  'onPremisesLastSyncDateTime',
  'onPremisesProvisioningErrors',
  'onPremisesSamAccountName',
  'onPremisesSecurityIdentifier',
  'onPremisesSyncEnabled',
  'proxyAddresses',
  'securityIdentifier',
  'serviceProvisioningErrors',
] as const;
