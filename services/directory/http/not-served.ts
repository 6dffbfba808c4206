import type { UnservedFeature } from '../../common/not-served.js';

/** The start of a path of one user, in a regular expression. */
const userPath = '/(?:me|users/[^/]+)';

/** The areas of the cloud's directory API that this service does not serve. */
export const notServedByDirectory: readonly UnservedFeature[] = [
  {
    id: 'mail',
    feature: 'mailboxes of people',
    alternative: 'Groups have conversations: POST /groups/{id}/conversations.',
    pathPattern: new RegExp(
      `^${userPath}/(?:messages|mailFolders|mailboxSettings|sendMail|outlook|inferenceClassification)\\b`,
      'i',
    ),
    example: 'POST /me/sendMail',
  },
  {
    id: 'personal-calendars',
    feature: 'calendars and contacts of people',
    alternative: 'Groups have a calendar: GET /groups/{id}/calendar/events.',
    pathPattern: new RegExp(
      `^${userPath}/(?:calendars?|calendarGroups|calendarView|events|contacts|contactFolders|findMeetingTimes|people)\\b`,
      'i',
    ),
    example: 'GET /me/calendarView',
  },
  {
    id: 'personal-files',
    feature: 'drives of people, and sites other than those of groups',
    alternative: 'Groups have a drive: GET /groups/{id}/drive/root/children.',
    pathPattern: new RegExp(
      `^(?:${userPath}/(?:drives?|onenote|insights)|/drives|/sites|/shares)\\b`,
      'i',
    ),
    example: 'GET /me/drive',
  },
  {
    id: 'chats',
    feature: 'chats, calls, lists of teams and the messages of channels',
    alternative: 'Groups have a team with channels: GET /teams/{id}/channels.',
    pathPattern: new RegExp(
      `^(?:${userPath}/(?:chats|presence|joinedTeams|onlineMeetings|teamwork)|/chats|/communications|/teamwork|/teamsTemplates|/teams/?$|/teams/[^/]+/(?:channels/[^/]+/messages|installedApps|schedule|tags))\\b`,
      'i',
    ),
    example: 'GET /me/chats',
  },
  {
    id: 'device-management',
    feature: 'the management of devices',
    alternative: 'Devices are objects of the directory: GET /devices.',
    pathPattern:
      /^\/(?:deviceManagement|deviceAppManagement|(?:me|users\/[^/]+)\/(?:managedDevices|managedAppRegistrations))\b/i,
    example: 'GET /deviceManagement/managedDevices',
  },
  {
    id: 'logs-and-reports',
    feature: 'audit logs and reports',
    alternative: 'The console of the sandbox shows every call; GET /groups/delta lists changes.',
    pathPattern: /^\/(?:auditLogs|reports)\b/i,
    example: 'GET /auditLogs/signIns',
  },
  {
    id: 'security',
    feature: 'security alerts, risks and information protection',
    alternative: 'Test what depends on them against the cloud.',
    pathPattern: /^\/(?:security|identityProtection|informationProtection|compliance|privacy)\b/i,
    example: 'GET /security/alerts_v2',
  },
  {
    id: 'change-notifications',
    feature: 'subscriptions to changes',
    alternative: 'Follow changes by delta queries: GET /groups/delta.',
    pathPattern: /^\/subscriptions\b/i,
    example: 'POST /subscriptions',
  },
  {
    id: 'metadata-document',
    feature: 'the metadata document of the interface',
    alternative: 'GET /openapi.json describes what is served.',
    pathPattern: /^\/(?:\$|%24)metadata\b/i,
    example: 'GET /$metadata',
  },
  {
    id: 'search',
    feature: 'the search in mails, files and sites',
    alternative:
      'Objects of the directory are found by $search: GET /groups?$search="displayName:x".',
    pathPattern: /^\/search\b/i,
    example: 'POST /search/query',
  },
  {
    id: 'reviews-and-workflows',
    feature: 'access reviews, lifecycle workflows, terms of use and requests for consent',
    alternative:
      'Roles and groups have schedules: POST /identityGovernance/privilegedAccess/group/….',
    pathPattern:
      /^\/identityGovernance\/(?:accessReviews|lifecycleWorkflows|termsOfUse|appConsent)\b|^\/agreements\b/i,
    example: 'GET /identityGovernance/accessReviews/definitions',
  },
  {
    id: 'tenant-policies',
    feature: 'policies of the tenant other than those of the conditional access and of roles',
    alternative: 'They decide nothing in the sandbox: leave them to the stacks of the tenant.',
    pathPattern:
      /^\/(?:policies\/(?!conditionalAccess|roleManagement|claimsMapping)|authenticationMethod|certificateBasedAuthConfiguration|permissionGrants|agreementAcceptances|dataPolicyOperations)/i,
    example: 'GET /policies/authorizationPolicy',
  },
  {
    id: 'sign-up',
    feature: 'sign-up flows, external identity providers and events of authentication',
    alternative: 'People come from the seed, from invitations and from POST /users.',
    pathPattern:
      /^\/(?:identityProviders|identity\/(?:apiConnectors|b2xUserFlows|customAuthenticationExtensions|authenticationEventsFlows|identityProviders|userFlows))\b/i,
    example: 'GET /identity/identityProviders',
  },
  {
    id: 'extensions',
    feature:
      'schema extensions, custom security attributes, synchronization with other directories and partners',
    alternative: 'Groups take open extensions: POST /groups/{id}/extensions.',
    pathPattern:
      /^\/(?:schemaExtensions|domainDnsRecords|contracts|tenantRelationships|scopedRoleMemberships|functions|filterOperators|roleManagement\/(?!directory\b)|directory\/(?:onPremisesSynchronization|customSecurityAttributeDefinitions|attributeSets|federationConfigurations|publicKeyInfrastructure|deviceLocalCredentials))/i,
    example: 'GET /schemaExtensions',
  },
  {
    id: 'domain-records',
    feature: 'DNS records, federation and forced deletion of domains',
    alternative: 'POST /domains/{id}/verify verifies a domain at once.',
    pathPattern:
      /^\/domains\/[^/]+\/(?:verificationDnsRecords|serviceConfigurationRecords|federationConfiguration|rootDomain|sharedEmailDomainInvitations|forceDelete|promote)\b/i,
    example: 'GET /domains/contoso.example/verificationDnsRecords',
  },
  {
    id: 'transitive-role-assignments',
    feature: 'role assignments of a principal and of the groups that it is in, in one list',
    alternative: 'GET /users/{id}/transitiveMemberOf lists the roles of a person, too.',
    pathPattern: /^\/roleManagement\/directory\/transitiveRoleAssignments\b/i,
    example: 'GET /roleManagement/directory/transitiveRoleAssignments',
  },
  {
    id: 'license-details',
    feature: 'the service plans of licences',
    alternative: 'GET /users/{id}?$select=assignedLicenses lists the licences of a person.',
    pathPattern: new RegExp(`^${userPath}/licenseDetails\\b`, 'i'),
    example: 'GET /me/licenseDetails',
  },
  {
    id: 'people-extras',
    feature:
      'photos, sponsors and open extensions of people, and changes of their passwords by themselves',
    alternative: 'PATCH /users/{id} sets a passwordProfile; groups have photos and extensions.',
    pathPattern: new RegExp(
      `^${userPath}/(?:photos?|sponsors|extensions|changePassword|exportPersonalData|translateExchangeIds|invalidateAllRefreshTokens|getMailTips|agreementAcceptances|authentication/requirements)\\b`,
      'i',
    ),
    example: 'POST /me/changePassword',
  },
  {
    id: 'application-extras',
    feature:
      'extension properties, verified publishers, keys by proof and policies of applications, other than those that map claims',
    alternative: 'PATCH /applications/{id} changes keyCredentials; policies decide nothing here.',
    pathPattern:
      /^\/(?:applications|servicePrincipals)\/[^/]+\/(?:extensionProperties|(?:un)?setVerifiedPublisher|addKey|removeKey|(?:tokenIssuance|tokenLifetime|homeRealmDiscovery|appManagement)Policies|remoteDesktopSecurityConfiguration)\b/i,
    example: 'GET /applications/00000000-0000-4000-8000-000000000001/extensionProperties',
  },
  {
    id: 'workplace',
    feature: 'apps for work: education, tasks, printing, places, bookings, connectors, storage',
    alternative: 'Groups have a plan: GET /groups/{id}/planner/plans.',
    pathPattern: new RegExp(
      `^(?:${userPath}/(?:todo|planner|activities|settings|cloudPCs|employeeExperience)|/(?:admin|appCatalogs|connections|copilot|drive|education|employeeExperience|external|places|planner|print|solutions|storage)\\b)`,
      'i',
    ),
    example: 'GET /education/classes',
  },
  {
    id: 'provisioning',
    feature: 'the provisioning of accounts to other systems',
    alternative: 'Read the accounts by GET /users and GET /users/delta.',
    pathPattern: /^\/servicePrincipals\/[^/]+\/synchronization\b/i,
    example: 'GET /servicePrincipals/00000000-0000-4000-8000-000000000001/synchronization/jobs',
  },
];
