import {
  ContainerApp,
  ContainerAppEnvironment,
  type CastellanStack,
  Eventhouse,
  Eventstream,
  Group,
  GroupLifecyclePolicy,
  Registration,
  Secret,
  SecurityGroup,
  UnifiedGroup,
  Workspace,
} from '../../../constructs/index.js';

/** A construct, and props that set nearly all that it takes. */
type FullDeclaration = readonly [
  new (scope: CastellanStack, id: string, props: never) => unknown,
  (stack: CastellanStack) => Readonly<Record<string, unknown>>,
];

const ada = '11111111-1111-4222-8333-444455556666';
const probe = {
  transport: 'http',
  path: '/',
  port: 80,
  host: 'h',
  headers: { a: 'b' },
  initialDelaySeconds: 5,
  periodSeconds: 10,
  timeoutSeconds: 5,
  failureThreshold: 3,
};
export const fullDeclarations: Readonly<Record<string, FullDeclaration>> = {
  securityGroup: [
    SecurityGroup,
    () => ({
      displayName: 'A',
      description: 'd',
      mailNickname: 'a',
      owners: [ada],
      members: [ada],
      visibility: 'Private',
      isAssignableToRole: false,
      membersManagedElsewhere: false,
      ownersManagedElsewhere: false,
    }),
  ],
  dynamicGroup: [
    SecurityGroup,
    () => ({
      displayName: 'A',
      mailNickname: 'a',
      owners: [ada],
      dynamicMembership: { rule: 'user.department -eq "x"', processing: 'On' },
    }),
  ],
  groupWithMembershipRule: [
    SecurityGroup,
    () => ({
      displayName: 'A',
      mailNickname: 'a',
      owners: [ada],
      membershipRule: 'user.department -eq "x"',
      membershipRuleProcessingState: 'On',
    }),
  ],
  unifiedGroup: [
    UnifiedGroup,
    () => ({
      displayName: 'A',
      description: 'd',
      mailNickname: 'a',
      owners: [ada],
      members: [ada],
      visibility: 'Private',
      classification: 'low',
      preferredLanguage: 'en-US',
      preferredDataLocation: 'EUR',
      theme: 'Blue',
      hideFromAddressLists: true,
      hideFromOutlookClients: true,
      allowExternalSenders: true,
      autoSubscribeNewMembers: true,
      acceptedSenders: [ada],
      rejectedSenders: ['22222222-1111-4222-8333-444455556666'],
      resourceBehaviorOptions: ['HideGroupInOutlook'],
      resourceProvisioningOptions: ['Team'],
      assignedLabels: [{ labelId: ada }],
      licenses: [{ skuId: ada, disabledPlans: [ada] }],
      settings: { 'Group.Unified.Guest': { AllowToAddGuests: false } },
      accessType: 'private',
      uniqueName: 'u',
      isSubscribedByMail: true,
      isFavorite: true,
      mailEnabled: true,
      securityEnabled: true,
      expirationPolicy: { renewable: true },
    }),
  ],
  groupOfAnyKind: [
    Group,
    () => ({
      kind: 'security',
      displayName: 'A',
      groupTypes: [],
      mailEnabled: false,
      securityEnabled: true,
      mailNickname: 'a',
      owners: [ada],
    }),
  ],
  groupLifecyclePolicy: [
    GroupLifecyclePolicy,
    () => ({
      groupLifetimeInDays: 90,
      managedGroupTypes: 'Selected',
      alternateNotificationEmails: ['a@b.example'],
      groups: [ada],
    }),
  ],
  registration: [
    Registration,
    () => ({
      displayName: 'L',
      description: 'd',
      signInAudience: 'AzureADMyOrg',
      idTokens: true,
      accessTokens: false,
      redirectUris: ['https://a.example/cb'],
      logoutUrl: 'https://a.example/o',
      homepageUrl: 'https://a.example',
      owners: [ada],
      secret: { displayName: 's', expires: '2027-10-01T00:00:00Z', rotation: 'a' },
      assignmentRequired: true,
      groupMembershipClaims: ['SecurityGroup'],
      identifierUris: ['api://x'],
      appRoles: [
        {
          id: ada,
          displayName: 'R',
          description: 'd',
          value: 'r',
          allowedMemberTypes: ['User'],
          enabled: true,
        },
      ],
      scopes: [
        {
          id: '22222222-1111-4222-8333-444455556666',
          value: 's',
          adminConsentDisplayName: 'a',
          adminConsentDescription: 'b',
          userConsentDisplayName: 'c',
          userConsentDescription: 'd',
          type: 'User',
          enabled: true,
        },
      ],
      requiredPermissions: [{ resourceAppId: ada, roles: [ada], scopes: [ada] }],
      notes: 'n',
      tags: ['a'],
    }),
  ],
  simpleRegistration: [
    Registration,
    () => ({
      displayName: 'L',
      description: 'd',
      signInAudience: 'AzureADMyOrg',
      idTokens: true,
      redirectUris: ['https://a.example/cb'],
      logoutUrl: 'https://a.example/o',
      homepageUrl: 'https://a.example',
      secret: { expires: '2027-10-01T00:00:00Z' },
      assignmentRequired: true,
      groupMembershipClaims: ['SecurityGroup'],
      notes: 'n',
    }),
  ],
  environment: [
    ContainerAppEnvironment,
    () => ({
      name: 'cae-e',
      logs: { retentionInDays: 30 },
      subnet:
        '/subscriptions/' +
        ada +
        '/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/s',
      internal: true,
      zoneRedundant: true,
      workloadProfiles: [{ name: 'd', type: 'D4', min: 1, max: 2 }],
      tags: { a: 'b' },
      resourceGroup: 'rg',
    }),
  ],
  environmentWithExistingLogs: [
    ContainerAppEnvironment,
    () => ({
      name: 'cae-e',
      logs: {
        workspaceId:
          '/subscriptions/' +
          ada +
          '/resourceGroups/rg/providers/Microsoft.OperationalInsights/workspaces/w',
      },
      resourceGroup: { existing: 'rg' },
    }),
  ],
  app: [
    ContainerApp,
    () => ({
      name: 'web',
      image: 'nginx:1',
      targetPort: 80,
      command: ['a'],
      args: ['b'],
      cpu: 0.5,
      memory: '1Gi',
      replicas: {
        min: 1,
        max: 2,
        cooldownSeconds: 300,
        pollingSeconds: 30,
        concurrentRequests: 10,
      },
      env: { A: 'b', T: { secret: 'token' } },
      secrets: { token: Secret.fromEnvironment('TOKEN') },
      registries: [{ server: 'r.example', username: 'u', password: Secret.fromEnvironment('PW') }],
      probes: { liveness: probe },
      containers: {
        side: {
          image: 'x:1',
          command: ['a'],
          args: ['b'],
          cpu: 0.25,
          memory: '0.5Gi',
          env: { A: 'b' },
        },
      },
      ingress: {
        external: true,
        allowInsecure: false,
        transport: 'auto',
        clientCertificateMode: 'ignore',
        ipRestrictions: [{ name: 'a', description: 'd', action: 'allow', range: '10.0.0.0/8' }],
        cors: {
          allowedOrigins: ['https://a.example'],
          allowedMethods: ['GET'],
          allowedHeaders: ['x'],
          exposedHeaders: ['y'],
          allowCredentials: true,
          maxAgeInSeconds: 10,
        },
      },
      customDomains: {
        'a.b.example': {
          certificateId:
            '/subscriptions/' +
            ada +
            '/resourceGroups/rg/providers/Microsoft.App/managedEnvironments/e/certificates/c',
          binding: 'SniEnabled',
        },
      },
      revision: { mode: 'single', suffix: 'a', maxInactive: 3 },
      identity: {
        systemAssigned: true,
        userAssigned: [
          '/subscriptions/' +
            ada +
            '/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i',
        ],
      },
      terminationGracePeriodSeconds: 30,
      tags: { a: 'b' },
    }),
  ],
  appOnWorkloadProfile: [
    ContainerApp,
    (stack) => ({
      name: 'web',
      environment: new ContainerAppEnvironment(stack, 'env', {
        workloadProfiles: [{ name: 'd', type: 'D4', min: 1, max: 2 }],
      }),
      image: 'nginx:1',
      targetPort: 80,
      revision: { mode: 'multiple', traffic: [{ latest: true, weight: 100, label: 'a' }] },
      workloadProfile: 'd',
      sandbox: { command: ['x'], page: false, env: { A: 'b' } },
      resourceGroup: { existing: 'rg' },
    }),
  ],
  signIn: [
    ContainerApp,
    (stack) => ({
      name: 'web',
      image: 'nginx:1',
      targetPort: 80,
      secrets: { gh: Secret.fromEnvironment('GH') },
      auth: {
        enabled: true,
        restrictAccess: 'requireAuthentication',
        unauthenticatedAction: 'redirectToLogin',
        redirectTo: 'directory',
        excludedPaths: ['/a'],
        requirements: [
          {
            path: '/p',
            acrValues: ['a'],
            maxAge: '00:10:00',
            groups: [ada],
            claims: { a: ['b'] },
            emailDomains: ['a.example'],
          },
        ],
        requireHttps: true,
        providers: {
          directory: {
            registration: new Registration(stack, 'login', { displayName: 'L' }),
            allowedGroups: [ada],
            allowedPrincipals: [ada],
            claimGroups: [ada],
            allowedAudiences: ['api://a'],
            loginParameters: ['scope=openid'],
            requiredClaims: { a: ['b'] },
          },
          social: {
            appId: 'a',
            appSecret: Secret.fromEnvironment('SO'),
            graphApiVersion: 'v19.0',
            scopes: ['a'],
          },
          microblog: { consumerKey: 'a', consumerSecret: Secret.fromEnvironment('MB') },
          codehost: { clientId: 'x', clientSecret: Secret.fromEnvironment('CS'), scopes: ['a'] },
          openIdConnect: {
            acme: {
              clientId: 'x',
              clientSecret: Secret.fromEnvironment('CS2'),
              nameClaimType: 'n',
              scopes: ['a'],
              wellKnownConfiguration: 'https://a.example/.well-known/openid-configuration',
              allowedGroups: ['g'],
              requiredClaims: { a: ['b'] },
            },
          },
        },
        allowedExternalRedirectUrls: ['https://a.example'],
        preserveUrlFragments: true,
        cookieExpiration: { convention: 'fixedTime', timeToExpiration: '08:00:00' },
        nonce: { validate: true, expirationInterval: '00:05:00' },
        tokenStore: { enabled: true, refreshExtensionHours: 72 },
        routes: { apiPrefix: '/.auth', logoutEndpoint: '/out' },
        forwardProxy: {
          convention: 'custom',
          customHostHeaderName: 'x-h',
          customProtoHeaderName: 'x-p',
        },
      },
    }),
  ],
  signInByClientId: [
    ContainerApp,
    () => ({
      name: 'web',
      image: 'nginx:1',
      targetPort: 80,
      auth: {
        unauthenticatedAction: 'redirectToLogin',
        providers: {
          directory: {
            enabled: true,
            disableWwwAuthenticate: true,
            tenantId: ada,
            allowedApplications: [ada],
            allowedClientApplications: [ada],
            clientId: ada,
            clientSecret: Secret.fromEnvironment('S'),
            issuer: 'https://login.microsoftonline.com/' + ada + '/v2.0',
          },
        },
      },
    }),
  ],
  workspace: [
    Workspace,
    () => ({
      displayName: 'W',
      description: 'd',
      capacityId: ada,
      identity: true,
      roles: [{ principal: { objectId: ada, principalType: 'User' }, role: 'Viewer' }],
    }),
  ],
  eventhouse: [
    Eventhouse,
    () => ({
      workspace: ada,
      displayName: 'e',
      description: 'd',
      minimumConsumptionUnits: 4.25,
      tags: [ada],
      folderId: ada,
      sensitivityLabelSettings: { labelId: ada, sensitivityLabelApplyStrategy: 'Ignore' },
    }),
  ],
  eventhouseByDefinition: [
    Eventhouse,
    () => ({
      workspace: ada,
      displayName: 'e',
      definition: {
        parts: [
          {
            path: 'EventhouseProperties.json',
            payload: 'eyJtaW5pbXVtQ29uc3VtcHRpb25Vbml0cyI6NC4yNX0=',
            payloadType: 'InlineBase64',
          },
        ],
      },
    }),
  ],
  eventstream: [
    Eventstream,
    (stack) => ({
      workspace: ada,
      displayName: 'e',
      description: 'd',
      retentionTimeInDays: 1,
      eventThroughputLevel: 'Low',
      definition: {
        sources: [{ name: 'web', type: 'CustomEndpoint' }],
        streams: [{ name: 'st', type: 'DefaultStream', inputNodes: ['web'] }],
        operators: [{ name: 'all', type: 'Union', inputNodes: ['st'] }],
        destinations: [
          {
            name: 'store',
            type: 'Eventhouse',
            eventhouse: Eventhouse.fromItemId(stack, 'xx', { workspaceId: ada, itemId: ada }),
            inputNodes: ['all'],
            databaseName: 'd',
            tableName: 't',
            inputSerialization: { type: 'Json', encoding: 'UTF8' },
            dataIngestionMode: 'ProcessedIngestion',
          },
        ],
      },
    }),
  ],
  signInRequirements: [
    ContainerApp,
    () => ({
      name: 'web',
      image: 'nginx:1',
      targetPort: 80,
      auth: {
        requirements: [{ path: '/orders', groups: [ada] }],
        providers: {
          directory: { clientId: ada, clientSecret: Secret.fromEnvironment('LOGIN_SECRET') },
        },
      },
    }),
  ],
};
