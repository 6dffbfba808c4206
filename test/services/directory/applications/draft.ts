import { TestDirectory, id, user } from '../support/directory.js';

/** The service principal whose token requests have. */
export const caller = id(70);

/** How bodies refer to an object. */
export const referenceTo = (objectId: string): string =>
  `https://graph.example/v1.0/directoryObjects/${objectId}`;

/** What the Terraform provider posts for an application: every section present. */
export function applicationDraft(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    '@odata.type': '#microsoft.graph.application',
    api: {
      '@odata.type': '#microsoft.graph.apiApplication',
      acceptMappedClaims: false,
      knownClientApplications: [],
      oauth2PermissionScopes: [],
      requestedAccessTokenVersion: 1,
    },
    appRoles: [],
    description: null,
    displayName: 'TERRAFORM_UPDATE_1',
    groupMembershipClaims: null,
    identifierUris: [],
    info: {
      marketingUrl: null,
      privacyStatementUrl: null,
      supportUrl: null,
      termsOfServiceUrl: null,
    },
    isDeviceOnlyAuthSupported: false,
    isFallbackPublicClient: false,
    notes: null,
    optionalClaims: {},
    publicClient: { redirectUris: [] },
    requiredResourceAccess: [],
    serviceManagementReference: null,
    signInAudience: 'AzureADMyOrg',
    spa: { redirectUris: [] },
    tags: [],
    web: {
      homePageUrl: null,
      implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: true },
      logoutUrl: null,
      redirectUris: ['https://a.example/cb'],
    },
    'owners@odata.bind': [referenceTo(caller)],
    ...more,
  };
}

/** A directory in which someone can make applications. */
export function startWithCaller(dialect: 'neutral' | 'azure'): Promise<TestDirectory> {
  const servicePrincipals = [{ id: caller, displayName: 'terraform', appId: id(71) }];
  return TestDirectory.start({ dialect, seed: { users: [user(id(1))], servicePrincipals } });
}

/** Makes an application. @returns its id. */
export async function makeApplication(
  directory: TestDirectory,
  more?: Record<string, unknown>,
): Promise<string> {
  const answer = await directory.post('/applications', applicationDraft(more));
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as string;
}
