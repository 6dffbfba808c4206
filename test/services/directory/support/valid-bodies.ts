import { id, securityGroup, unifiedGroup, user } from './directory.js';

const text = { contentType: 'text', content: 'Hello' };
const address = { emailAddress: { name: 'Ada', address: 'ada@castellan.example' } };
export const post = { body: text, newParticipants: [address], categories: ['a'] };
export const conversation = { topic: 'Lunch', threads: [{ topic: 'Lunch', posts: [post] }] };
const time = { dateTime: '2026-03-01T10:00:00', timeZone: 'UTC' };
export const meeting = {
  subject: 'Meeting',
  body: text,
  start: time,
  end: { ...time, dateTime: '2026-03-01T11:00:00' },
  isAllDay: false,
  showAs: 'busy',
  location: { displayName: 'Room', address: { city: 'Bern' } },
  attendees: [{ ...address, type: 'required' }],
  categories: ['a'],
  recurrence: {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'], firstDayOfWeek: 'sunday' },
    range: {
      type: 'numbered',
      startDate: '2026-03-02',
      numberOfOccurrences: 3,
      recurrenceTimeZone: 'UTC',
    },
  },
};
const reference = { '@odata.id': `https://directory.test/v1.0/directoryObjects/${id(2)}` };
const scheduleInfo = {
  startDateTime: '2027-01-01T00:00:00Z',
  expiration: { type: 'afterDuration', duration: 'P30D' },
};
const scheduleRequest = {
  action: 'adminAssign',
  principalId: id(2),
  justification: 'x',
  scheduleInfo,
  ticketInfo: { ticketNumber: '1', ticketSystem: 'y' },
};
const sku = { skuId: id(77), disabledPlans: [id(78)] };

/**
 * One body of each operation that takes one. `{group}` and the like stand for the ids of the
 * objects that the test created.
 */
export const bodies: readonly (readonly [method: string, path: string, body: object])[] = [
  [
    'POST',
    '/groups',
    {
      ...unifiedGroup(),
      description: 'd',
      'owners@odata.bind': [reference['@odata.id']],
      resourceBehaviorOptions: [],
      assignedLabels: [{ labelId: id(5) }],
    },
  ],
  [
    'PATCH',
    '/groups/{security}',
    {
      displayName: 'a',
      'members@odata.bind': [reference['@odata.id']],
      membershipRule: 'user.city -eq "x"',
      membershipRuleProcessingState: 'On',
    },
  ],
  ['POST', '/groups/{security}/assignLicense', { addLicenses: [sku], removeLicenses: [id(79)] }],
  ['POST', '/groups/{security}/members/$ref', reference],
  ['POST', '/groups/{group}/conversations', conversation],
  ['POST', '/groups/{group}/threads', { topic: 'a', posts: [post] }],
  ['PATCH', '/groups/{group}/threads/{thread}', { isLocked: false }],
  ['POST', '/groups/{group}/threads/{thread}/reply', { post }],
  ['POST', '/groups/{group}/conversations/{conversation}/threads', { topic: 'a', posts: [post] }],
  [
    'POST',
    '/groups/{group}/threads/{thread}/posts/{post}/forward',
    { comment: 'a', toRecipients: [address] },
  ],
  ['POST', '/groups/{group}/events', meeting],
  ['PATCH', '/groups/{group}/events/{event}', meeting],
  ['PATCH', '/groups/{group}/calendar', { name: 'a', color: 'auto' }],
  [
    'POST',
    '/groups/{group}/drive/root/children',
    { name: 'a', folder: {}, '@microsoft.graph.conflictBehavior': 'rename' },
  ],
  ['POST', '/groups/{group}/onenote/notebooks', { displayName: 'a' }],
  [
    'POST',
    '/planner/plans',
    {
      owner: '{group}',
      title: 'a',
      container: { url: 'https://directory.test/v1.0/groups/{group}' },
    },
  ],
  [
    'PUT',
    '/groups/{group}/team',
    {
      memberSettings: { allowCreateUpdateChannels: true },
      funSettings: { giphyContentRating: 'strict' },
    },
  ],
  [
    'POST',
    '/groups/{group}/extensions',
    { '@odata.type': 'microsoft.graph.openTypeExtension', extensionName: 'com.a', theme: { a: 1 } },
  ],
  [
    'POST',
    '/groups/{security}/validateProperties',
    { displayName: 'a', mailNickname: 'b', onBehalfOfUserId: id(1) },
  ],
  ['POST', '/groups/{security}/checkMemberGroups', { groupIds: [id(3)] }],
  ['POST', '/groups/{security}/checkMemberObjects', { ids: [id(3)] }],
  ['POST', '/groups/{security}/getMemberGroups', { securityEnabledOnly: false }],
  [
    'POST',
    '/groups/evaluateDynamicMembership',
    { memberId: id(1), membershipRule: 'user.city -eq "x"' },
  ],
  ['POST', '/groups/{group}/checkGrantedPermissionsForApp', {}],
  ['POST', '/directoryObjects/getByIds', { ids: [id(1)], types: ['user'] }],
  [
    'POST',
    '/directoryObjects/validateProperties',
    { entityType: 'Group', displayName: 'a', mailNickname: 'b' },
  ],
  ['POST', '/directory/deletedItems/getUserOwnedObjects', { userId: id(1), type: 'Group' }],
  [
    'POST',
    '/users',
    {
      ...user(id(50)),
      id: undefined,
      accountEnabled: true,
      mailNickname: 'a',
      passwordProfile: { password: 'S3cret!pass', forceChangePasswordNextSignIn: false },
    },
  ],
  [
    'PATCH',
    '/users/{user}',
    {
      city: 'Bern',
      businessPhones: ['1'],
      passwordProfile: { password: 'S3cret!pass' },
      onPremisesExtensionAttributes: { extensionAttribute1: 'a' },
    },
  ],
  ['PUT', '/users/{user}/manager/$ref', reference],
  [
    'POST',
    '/users/{user}/authentication/phoneMethods',
    { phoneNumber: '+1 5555551234', phoneType: 'mobile' },
  ],
  ['POST', '/users/{user}/authentication/emailMethods', { emailAddress: 'a@b.example' }],
  [
    'POST',
    '/users/{user}/authentication/temporaryAccessPassMethods',
    { lifetimeInMinutes: 60, isUsableOnce: true, startDateTime: '2027-01-01T00:00:00Z' },
  ],
  [
    'POST',
    '/devices',
    {
      displayName: 'a',
      accountEnabled: true,
      deviceId: id(60),
      operatingSystem: 'x',
      operatingSystemVersion: '1',
      alternativeSecurityIds: [{ type: 2, key: 'YQ==' }],
    },
  ],
  [
    'PATCH',
    '/applications/{app}',
    {
      displayName: 'a',
      web: {
        redirectUris: ['https://a.example/'],
        implicitGrantSettings: { enableIdTokenIssuance: true },
      },
      appRoles: [
        {
          id: id(61),
          allowedMemberTypes: ['User'],
          displayName: 'r',
          description: 'd',
          isEnabled: true,
          value: 'v',
        },
      ],
      api: {
        oauth2PermissionScopes: [
          {
            id: id(62),
            value: 'x',
            type: 'User',
            isEnabled: true,
            adminConsentDisplayName: 'a',
            adminConsentDescription: 'b',
          },
        ],
        preAuthorizedApplications: [{ appId: id(63), delegatedPermissionIds: [id(62)] }],
      },
      requiredResourceAccess: [
        { resourceAppId: id(64), resourceAccess: [{ id: id(65), type: 'Scope' }] },
      ],
      optionalClaims: { idToken: [{ name: 'email', essential: false, additionalProperties: [] }] },
      identifierUris: ['api://{appId}'],
      keyCredentials: [{ type: 'AsymmetricX509Cert', usage: 'Verify', key: 'YQ==' }],
      tags: ['a'],
    },
  ],
  [
    'POST',
    '/applications/{app}/addPassword',
    { passwordCredential: { displayName: 'a', endDateTime: '2027-01-01T00:00:00Z' } },
  ],
  ['POST', '/applications/{app}/removePassword', { keyId: id(66) }],
  [
    'POST',
    '/applications/{app}/federatedIdentityCredentials',
    {
      name: 'a',
      issuer: 'https://a.example',
      subject: 's',
      audiences: ['api://AzureADTokenExchange'],
    },
  ],
  [
    'PATCH',
    '/servicePrincipals/{principal}',
    {
      tags: ['a'],
      notes: 'n',
      samlSingleSignOnSettings: { relayState: 'x' },
      notificationEmailAddresses: ['a@b.example'],
    },
  ],
  [
    'POST',
    '/servicePrincipals/{principal}/addTokenSigningCertificate',
    { displayName: 'CN=a', endDateTime: '2027-01-01T00:00:00Z' },
  ],
  [
    'POST',
    '/servicePrincipals/{principal}/appRoleAssignedTo',
    { principalId: id(1), resourceId: '{principal}', appRoleId: id(0) },
  ],
  [
    'POST',
    '/policies/claimsMappingPolicies',
    { displayName: 'a', definition: ['{"ClaimsMappingPolicy":{}}'], isOrganizationDefault: false },
  ],
  [
    'POST',
    '/groupSettings',
    {
      templateId: '62375ab9-6b52-47ed-826b-58e47e0e304b',
      values: [{ name: 'EnableMIPLabels', value: 'true' }],
    },
  ],
  [
    'POST',
    '/groupLifecyclePolicies',
    {
      groupLifetimeInDays: 100,
      managedGroupTypes: 'Selected',
      alternateNotificationEmails: 'a@b.example',
    },
  ],
  [
    'PATCH',
    '/policies/ownerlessGroupPolicy',
    {
      isEnabled: true,
      maxMembersToNotify: 5,
      targetOwners: { notifyMembers: 'all', securityGroups: [] },
      emailInfo: { senderEmailAddress: 'a@b.example' },
      policyWebUrl: 'https://a.example',
      enabledGroupIds: [],
    },
  ],
  [
    'POST',
    '/oauth2PermissionGrants',
    {
      clientId: '{principal}',
      resourceId: '{principal}',
      consentType: 'AllPrincipals',
      scope: 'x',
      principalId: null,
    },
  ],
  [
    'POST',
    '/directory/administrativeUnits',
    {
      displayName: 'a',
      visibility: 'Public',
      membershipRule: 'user.city -eq "x"',
      membershipType: 'Dynamic',
      membershipRuleProcessingState: 'On',
    },
  ],
  [
    'POST',
    '/directory/administrativeUnits/{unit}/scopedRoleMembers',
    { roleId: id(67), roleMemberInfo: { id: id(1) } },
  ],
  [
    'POST',
    '/directory/administrativeUnits/{unit}/members',
    { '@odata.type': '#microsoft.graph.group', ...securityGroup() },
  ],
  ['POST', '/directoryRoles', { roleTemplateId: 'fdd7a751-b60b-444a-984c-02652fe8fa1c' }],
  [
    'POST',
    '/roleManagement/directory/roleDefinitions',
    {
      displayName: 'a',
      isEnabled: true,
      rolePermissions: [
        { allowedResourceActions: ['microsoft.directory/groups/create'], condition: null },
      ],
    },
  ],
  [
    'POST',
    '/roleManagement/directory/roleAssignments',
    {
      principalId: id(1),
      roleDefinitionId: 'fdd7a751-b60b-444a-984c-02652fe8fa1c',
      directoryScopeId: '/',
    },
  ],
  [
    'POST',
    '/roleManagement/directory/roleAssignmentScheduleRequests',
    {
      ...scheduleRequest,
      roleDefinitionId: '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f',
      directoryScopeId: '/',
    },
  ],
  [
    'POST',
    '/identityGovernance/privilegedAccess/group/assignmentScheduleRequests',
    { ...scheduleRequest, groupId: '{security}', accessId: 'member' },
  ],
  [
    'PATCH',
    '/policies/roleManagementPolicies/{policy}',
    {
      rules: [
        {
          id: 'Expiration_Admin_Eligibility',
          isExpirationRequired: true,
          maximumDuration: 'P90D',
          target: { caller: 'Admin' },
        },
      ],
    },
  ],
  [
    'PATCH',
    '/policies/roleManagementPolicies/{policy}/rules/Expiration_Admin_Eligibility',
    { isExpirationRequired: true, maximumDuration: 'P90D' },
  ],
  [
    'POST',
    '/identity/conditionalAccess/policies',
    {
      displayName: 'a',
      state: 'disabled',
      conditions: { users: { includeUsers: ['All'] } },
      grantControls: { operator: 'OR', builtInControls: ['mfa'] },
    },
  ],
  [
    'POST',
    '/identity/conditionalAccess/namedLocations',
    {
      '@odata.type': '#microsoft.graph.ipNamedLocation',
      displayName: 'a',
      ipRanges: [{ cidrAddress: '10.0.0.0/8' }],
    },
  ],
  ['POST', '/identity/userFlowAttributes', { displayName: 'a', dataType: 'string' }],
  [
    'POST',
    '/invitations',
    {
      invitedUserEmailAddress: 'x@y.example',
      inviteRedirectUrl: 'https://a.example',
      invitedUserMessageInfo: { customizedMessageBody: 'x' },
    },
  ],
  ['POST', '/domains', { id: 'a.example' }],
  [
    'POST',
    '/$batch',
    {
      requests: [
        {
          id: '1',
          method: 'POST',
          url: '/groups',
          headers: { 'content-type': 'application/json' },
          body: securityGroup(),
          dependsOn: [],
        },
      ],
    },
  ],
];
