import type { NotServed } from '../../common/not-served.js';

/** The start of a path of one user, in a regular expression. */
const userPath = '/(?:me|users/[^/]+)';

/** The areas of the cloud's directory API that this service does not serve. */
export const notServedByDirectory: readonly NotServed[] = [
  {
    id: 'mail',
    what: 'mailboxes of people',
    instead: 'Groups have conversations: POST /groups/{id}/conversations.',
    paths: new RegExp(
      `^${userPath}/(?:messages|mailFolders|mailboxSettings|sendMail|outlook|inferenceClassification)\\b`,
      'i',
    ),
    example: 'POST /me/sendMail',
  },
  {
    id: 'personal-calendars',
    what: 'calendars and contacts of people',
    instead: 'Groups have a calendar: GET /groups/{id}/calendar/events.',
    paths: new RegExp(
      `^${userPath}/(?:calendars?|calendarGroups|calendarView|events|contacts|contactFolders|findMeetingTimes|people)\\b`,
      'i',
    ),
    example: 'GET /me/calendarView',
  },
  {
    id: 'personal-files',
    what: 'drives of people, and sites other than those of groups',
    instead: 'Groups have a drive: GET /groups/{id}/drive/root/children.',
    paths: new RegExp(
      `^(?:${userPath}/(?:drives?|onenote|insights)|/drives|/sites|/shares)\\b`,
      'i',
    ),
    example: 'GET /me/drive',
  },
  {
    id: 'chats',
    what: 'chats, calls, lists of teams and the messages of channels',
    instead: 'Groups have a team with channels: GET /teams/{id}/channels.',
    paths: new RegExp(
      `^(?:${userPath}/(?:chats|presence|joinedTeams|onlineMeetings|teamwork)|/chats|/communications|/teamwork|/teamsTemplates|/teams/?$|/teams/[^/]+/(?:channels/[^/]+/messages|installedApps|schedule|tags))\\b`,
      'i',
    ),
    example: 'GET /me/chats',
  },
  {
    id: 'device-management',
    what: 'the management of devices',
    instead: 'Devices are objects of the directory: GET /devices.',
    paths:
      /^\/(?:deviceManagement|deviceAppManagement|(?:me|users\/[^/]+)\/(?:managedDevices|managedAppRegistrations))\b/i,
    example: 'GET /deviceManagement/managedDevices',
  },
  {
    id: 'logs-and-reports',
    what: 'audit logs and reports',
    instead: 'The console of the sandbox shows every call; GET /groups/delta lists changes.',
    paths: /^\/(?:auditLogs|reports)\b/i,
    example: 'GET /auditLogs/signIns',
  },
  {
    id: 'security',
    what: 'security alerts, risks and information protection',
    instead: 'Test what depends on them against the cloud.',
    paths: /^\/(?:security|identityProtection|informationProtection|compliance|privacy)\b/i,
    example: 'GET /security/alerts_v2',
  },
  {
    id: 'change-notifications',
    what: 'subscriptions to changes',
    instead: 'Follow changes by delta queries: GET /groups/delta.',
    paths: /^\/subscriptions\b/i,
    example: 'POST /subscriptions',
  },
  {
    id: 'metadata-document',
    what: 'the metadata document of the interface',
    instead: 'GET /openapi.json describes what is served.',
    paths: /^\/(?:\$|%24)metadata\b/i,
    example: 'GET /$metadata',
  },
  {
    id: 'search',
    what: 'the search in mails, files and sites',
    instead: 'Objects of the directory are found by $search: GET /groups?$search="displayName:x".',
    paths: /^\/search\b/i,
    example: 'POST /search/query',
  },
  {
    id: 'reviews-and-workflows',
    what: 'access reviews, lifecycle workflows, terms of use and requests for consent',
    instead: 'Roles and groups have schedules: POST /identityGovernance/privilegedAccess/group/….',
    paths:
      /^\/identityGovernance\/(?:accessReviews|lifecycleWorkflows|termsOfUse|appConsent)\b|^\/agreements\b/i,
    example: 'GET /identityGovernance/accessReviews/definitions',
  },
  {
    id: 'tenant-policies',
    what: 'policies of the tenant other than those of the conditional access and of roles',
    instead: 'They decide nothing in the sandbox: leave them to the stacks of the tenant.',
    paths:
      /^\/(?:policies\/(?!conditionalAccess|roleManagement|claimsMapping)|authenticationMethod|certificateBasedAuthConfiguration|permissionGrants|agreementAcceptances|dataPolicyOperations)/i,
    example: 'GET /policies/authorizationPolicy',
  },
  {
    id: 'sign-up',
    what: 'sign-up flows, external identity providers and events of authentication',
    instead: 'People come from the seed, from invitations and from POST /users.',
    paths:
      /^\/(?:identityProviders|identity\/(?:apiConnectors|b2xUserFlows|customAuthenticationExtensions|authenticationEventsFlows|identityProviders|userFlows))\b/i,
    example: 'GET /identity/identityProviders',
  },
  {
    id: 'extensions',
    what: 'schema extensions, custom security attributes, synchronization with other directories and partners',
    instead: 'Groups take open extensions: POST /groups/{id}/extensions.',
    paths:
      /^\/(?:schemaExtensions|domainDnsRecords|contracts|tenantRelationships|scopedRoleMemberships|functions|filterOperators|roleManagement\/(?!directory\b)|directory\/(?:onPremisesSynchronization|customSecurityAttributeDefinitions|attributeSets|federationConfigurations|publicKeyInfrastructure|deviceLocalCredentials))/i,
    example: 'GET /schemaExtensions',
  },
  {
    id: 'license-details',
    what: 'the service plans of licences',
    instead: 'GET /users/{id}?$select=assignedLicenses lists the licences of a person.',
    paths: new RegExp(`^${userPath}/licenseDetails\\b`, 'i'),
    example: 'GET /me/licenseDetails',
  },
  {
    id: 'workplace',
    what: 'apps for work: education, tasks, printing, places, bookings, connectors, storage',
    instead: 'Groups have a plan: GET /groups/{id}/planner/plans.',
    paths: new RegExp(
      `^(?:${userPath}/(?:todo|planner|activities|settings|cloudPCs|employeeExperience)|/(?:admin|appCatalogs|connections|copilot|drive|education|employeeExperience|external|places|planner|print|solutions|storage)\\b)`,
      'i',
    ),
    example: 'GET /education/classes',
  },
  {
    id: 'provisioning',
    what: 'the provisioning of accounts to other systems',
    instead: 'Read the accounts by GET /users and GET /users/delta.',
    paths: /^\/servicePrincipals\/[^/]+\/synchronization\b/i,
    example: 'GET /servicePrincipals/00000000-0000-4000-8000-000000000001/synchronization/jobs',
  },
];
