import { trimEnd } from '../../core/text/trim-end.js';
import type { AppFetch } from './back-channel-logout.js';
import { randomUUID } from 'node:crypto';
import type { Refusal } from './refusals.js';
import type { SandboxSettings } from '../settings.js';
import { appIdIn, type PeopleAndApplications } from './people-and-applications.js';
import type { SigningKey } from './signing-key.js';

/** The parts of the sandbox that its identity provider needs. */
export interface IdentityProviderContext {
  /** The sandbox's address: `https://localhost:<port>`. */
  readonly origin: string;
  readonly settings: SandboxSettings;
  readonly key: SigningKey;
  readonly directory: PeopleAndApplications;
  /** Whether an application has this valid secret. */
  checkSecret(appId: string, secret: string): Promise<boolean>;
  /**
   * Called for each sign-in to an application, before the browser returns to it. `state` is the
   * parameter of the application's request (RFC 6749, section 4.1.1).
   */
  readonly onSignIn?: (personId: string, clientId: string, state: string | undefined) => void;
  /**
   * Sends logout tokens to apps (OpenID Connect Back-Channel Logout 1.0).
   *
   * @default none are sent
   */
  readonly appFetch?: AppFetch;
  /** The latest refusal of a person by an app of this registration. */
  readonly latestRefusal?: (
    personId: string,
    clientId: string,
  ) => { readonly app: string; readonly refusal: Refusal } | undefined;
}

/** The response of an OAuth endpoint. */
export interface OAuthResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The response to a refused request. */
export interface OAuthError extends OAuthResponse {
  readonly body: { readonly error: string; readonly error_description: string } & Readonly<
    Record<string, unknown>
  >;
}

/** A token is valid for an hour, like the cloud's. */
export const tokenLifetimeSeconds = 3600;

/** The form parameter with the scope of a request to refresh, on its way to oidc-provider. */
export const refreshScopeParameter = 'refresh_scope';

/** The audience of a person's access token for which no other resource is requested. */
export const directoryAudience = 'https://graph.microsoft.com';

/**
 * The permissions that Terraform and castellan's own commands (the toolkit) need in the directory
 * and in workspaces.
 */
export const toolkitRoles = [
  'Directory.ReadWrite.All',
  'Group.ReadWrite.All',
  'Group.Create',
  'GroupMember.ReadWrite.All',
  'User.ReadWrite.All',
  'Application.ReadWrite.All',
  'AppRoleAssignment.ReadWrite.All',
  'DelegatedPermissionGrant.ReadWrite.All',
  'RoleManagement.ReadWrite.Directory',
  'AdministrativeUnit.ReadWrite.All',
  'Device.ReadWrite.All',
  'Domain.ReadWrite.All',
  'UserAuthenticationMethod.ReadWrite.All',
  'OrgContact.Read.All',
  'Policy.ReadWrite.ConditionalAccess',
  'IdentityUserFlow.ReadWrite.All',
  'PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup',
  'PrivilegedEligibilitySchedule.ReadWrite.AzureADGroup',
  'EntitlementManagement.ReadWrite.All',
  'User.Invite.All',
  'Policy.Read.All',
  'LicenseAssignment.ReadWrite.All',
  'RoleManagementPolicy.ReadWrite.AzureADGroup',
  'Organization.Read.All',
];

/** The issuer of all tokens. */
export function issuerOf({
  origin,
  settings,
}: Pick<IdentityProviderContext, 'origin' | 'settings'>): string {
  return `${origin}/${settings.tenantId}/v2.0`;
}

/**
 * `grant_type=client_credentials`: an application's own token, for Terraform, clients of the cloud
 * and registered applications.
 */
export async function clientCredentialsGrant(
  context: IdentityProviderContext,
  form: Readonly<Record<string, string>>,
): Promise<OAuthResponse> {
  const { settings, directory } = context;
  const { client_id: clientId = '', client_secret: secret = '', scope = '', resource } = form;
  const isToolkit = clientId.toLowerCase() === settings.clientId;
  const hasValidSecret = isToolkit
    ? secret === settings.clientSecret
    : await context.checkSecret(clientId, secret);
  if (!hasValidSecret && !isToolkit && (await directory.application(clientId)) === undefined)
    return unknownApplicationError(clientId);
  if (secret === '')
    return missingSecretError(
      "AADSTS7000216: 'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
    );
  if (!hasValidSecret) return wrongSecretError(clientId);
  const audience = resource ?? audienceOf(scope);
  if (audience === undefined)
    return oauthError(
      400,
      'invalid_scope',
      `AADSTS70011: The scope '${scope}' is not valid: client credentials take '<resource>/.default'.`,
    );
  const resourceRefusal = await disabledResourceError(directory, audience);
  if (resourceRefusal !== undefined) return resourceRefusal;
  const objectId = isToolkit
    ? settings.clientObjectId
    : (await directory.servicePrincipal(clientId))?.id;
  if (objectId === undefined)
    return oauthError(
      401,
      'unauthorized_client',
      `AADSTS7000229: The application '${clientId}' has no service principal in the tenant.`,
    );
  const roles = isToolkit ? toolkitRoles : await directory.applicationRoles(objectId);
  return tokenResponse(await applicationToken(context, { clientId, objectId, roles, audience }));
}

/** An access token of an application itself, without a person. */
export function applicationToken(
  context: Pick<IdentityProviderContext, 'origin' | 'settings' | 'key'>,
  {
    clientId,
    objectId,
    roles,
    audience,
  }: { clientId: string; objectId: string; roles: readonly string[]; audience: string },
): Promise<string> {
  return context.key.sign(
    {
      iss: issuerOf(context),
      aud: audience,
      sub: objectId,
      oid: objectId,
      tid: context.settings.tenantId,
      appid: clientId,
      azp: clientId,
      idtyp: 'app',
      ver: '2.0',
      ...(roles.length !== 0 && { roles: [...roles] }),
    },
    tokenLifetimeSeconds,
  );
}

/** A resource indicator has to be a URI (RFC 8707): a client id gets its scheme. */
export function toResourceUri(resource: string): string {
  return URL.canParse(resource) ? resource : `api://${resource}`;
}

/** The response to a refused request; the cloud's clients read the AADSTS codes in it. */
export function oauthError(status: number, error: string, description: string): OAuthError {
  const codes = [...description.matchAll(/AADSTS(\d+)/g)].map(([, code]) => Number(code));
  const ids = { trace_id: randomUUID(), correlation_id: randomUUID() };
  return {
    status,
    body: {
      error,
      error_description: description,
      error_codes: codes,
      timestamp: new Date().toISOString(),
      ...ids,
    },
  };
}

/** The response to a request of an application that is not registered. */
export function unknownApplicationError(clientId: string): OAuthError {
  return oauthError(
    400,
    'unauthorized_client',
    `AADSTS700016: Application '${clientId}' was not found.`,
  );
}

/** The response to a request without the secret that it needs. */
export function missingSecretError(description: string): OAuthError {
  return oauthError(401, 'invalid_client', description);
}

/**
 * The response to a request for a token of an application that is disabled; undefined if the
 * audience names none by its id, or an enabled one.
 */
export async function disabledResourceError(
  directory: Pick<PeopleAndApplications, 'servicePrincipal'>,
  audience: string,
): Promise<OAuthError | undefined> {
  const appId = appIdIn(audience);
  const principal = appId === undefined ? undefined : await directory.servicePrincipal(appId);
  if (principal?.accountEnabled !== false) return undefined;
  return oauthError(
    400,
    'invalid_resource',
    `AADSTS500014: The service principal for resource '${audience}' is disabled.`,
  );
}

/** The response to a request with a secret that is not valid. */
export function wrongSecretError(clientId: string): OAuthError {
  return oauthError(
    401,
    'invalid_client',
    `AADSTS7000215: Invalid client secret provided for application '${clientId}'.`,
  );
}

/**
 * The response to a request with a client assertion (a certificate, or a federated credential),
 * with which no application can authenticate here.
 */
export function clientAssertionError(clientId: string): OAuthError {
  return oauthError(
    401,
    'invalid_client',
    `AADSTS700027: The certificate that signed the client assertion is not registered on application '${clientId}'. The sandbox takes no client assertions: use a client secret.`,
  );
}

/** The audience that the scope `<audience>/.default` names. */
function audienceOf(scope: string): string | undefined {
  const defaultScope = scope.split(' ').find((each) => each.endsWith('/.default'));
  return trimEnd(defaultScope?.slice(0, -'/.default'.length) ?? '', '/') || undefined;
}

/** A successful response (RFC 6749, section 5.1). @param fields further fields */
export function tokenResponse(
  accessToken: string,
  fields: Readonly<Record<string, unknown>> = {},
): OAuthResponse {
  return {
    status: 200,
    body: {
      token_type: 'Bearer',
      expires_in: tokenLifetimeSeconds,
      ext_expires_in: tokenLifetimeSeconds,
      access_token: accessToken,
      ...fields,
    },
  };
}
