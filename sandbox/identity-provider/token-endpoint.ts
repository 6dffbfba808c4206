import type { SendToApp } from './back-channel-logout.js';
import { randomUUID } from 'node:crypto';
import type { Refusal } from './refusals.js';
import type { SandboxSettings } from '../settings.js';
import { personClaims } from '../../access/token-claims.js';
import {
  type Application,
  type PeopleAndApplications,
  unassignedMessage,
  resourceApplication,
  rolesClaim,
} from './people-and-applications.js';
import type { SigningKey } from './signing-key.js';

/** The dependencies of the sandbox's own grants. */
export interface TokenContext {
  readonly origin: string;
  readonly settings: SandboxSettings;
  readonly key: SigningKey;
  readonly directory: PeopleAndApplications;
  /** Whether an application has this valid secret. */
  checkSecret(appId: string, secret: string): Promise<boolean>;
  /**
   * Called for each sign-in to an application, before the application answers it. `state` is what
   * the application gets back with the answer (RFC 6749, section 4.1.1).
   */
  readonly onSignIn?: (personId: string, clientId: string, state: string | undefined) => void;
  /**
   * Sends logout tokens to apps (OpenID Connect Back-Channel Logout 1.0).
   *
   * @default none are sent
   */
  readonly sendToApp?: SendToApp;
  /** The latest refusal of a person by an app of this registration. */
  readonly refusal?: (
    personId: string,
    clientId: string,
  ) => { readonly app: string; readonly refusal: Refusal } | undefined;
}

/** An OAuth answer. */
export interface OAuthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A token is valid for an hour, like the cloud's. */
export const tokenSeconds = 3600;

/** The permissions that Terraform and the toolkit need in the directory and in workspaces. */
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
export function issuerOf({ origin, settings }: Pick<TokenContext, 'origin' | 'settings'>): string {
  return `${origin}/${settings.tenantId}/v2.0`;
}

/**
 * `grant_type=client_credentials`: an application's own token, for Terraform, clients of the cloud
 * and registered applications.
 */
export async function clientCredentials(
  context: TokenContext,
  form: Readonly<Record<string, string>>,
): Promise<OAuthAnswer> {
  const { settings, directory } = context;
  const { client_id: clientId = '', client_secret: secret = '', scope = '', resource } = form;
  const own = clientId.toLowerCase() === settings.clientId;
  const known = own
    ? secret === settings.clientSecret
    : await context.checkSecret(clientId, secret);
  if (!known)
    return oauthError(
      401,
      'invalid_client',
      `AADSTS7000215: Invalid client secret provided for application '${clientId}'.`,
    );
  const audience = resource ?? audienceOf(scope);
  if (audience === undefined)
    return oauthError(
      400,
      'invalid_scope',
      `AADSTS70011: The scope '${scope}' is not valid: client credentials take '<resource>/.default'.`,
    );
  const objectId = own ? settings.clientObjectId : await directory.servicePrincipalId(clientId);
  if (objectId === undefined)
    return oauthError(
      401,
      'unauthorized_client',
      `AADSTS7000229: The application '${clientId}' has no service principal in the tenant.`,
    );
  const roles = own ? toolkitRoles : await directory.applicationRoles(objectId);
  return issue(await applicationToken(context, { clientId, objectId, roles, audience }));
}

/** An application's token. */
export function applicationToken(
  context: Pick<TokenContext, 'origin' | 'settings' | 'key'>,
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
    tokenSeconds,
  );
}

/**
 * `grant_type=password`: a user's tokens for a script. Users have no password here, and need none
 * on the sign-in page: any is accepted.
 */
export async function passwordGrant(
  context: TokenContext,
  form: Readonly<Record<string, string>>,
): Promise<OAuthAnswer> {
  const { client_id: clientId = '', client_secret: secret, username = '', scope = 'openid' } = form;
  const application = await context.directory.application(clientId);
  const own = clientId.toLowerCase() === context.settings.clientId;
  if (application === undefined && !own)
    return oauthError(
      400,
      'unauthorized_client',
      `AADSTS700016: Application '${clientId}' was not found.`,
    );
  if (
    secret !== undefined &&
    !(own ? secret === context.settings.clientSecret : await context.checkSecret(clientId, secret))
  )
    return oauthError(
      401,
      'invalid_client',
      `AADSTS7000215: Invalid client secret provided for application '${clientId}'.`,
    );
  const person = username === '' ? undefined : await context.directory.person(username);
  if (person === undefined)
    return oauthError(
      400,
      'invalid_grant',
      `AADSTS50034: The user account '${username}' does not exist in the tenant.`,
    );
  if ((await context.directory.refuseToken(person, clientId)) === 'unassigned')
    return oauthError(400, 'access_denied', unassignedMessage(person, clientId));
  const memberships = await context.directory.membershipsOf(person.id);
  const claimsFor = (whose: Application | undefined): Record<string, unknown> =>
    personClaims(person, memberships, whose, context.settings.tenantId);
  const audience = resourceOf(scope, clientId) ?? clientId;
  const resource = (await resourceApplication(context.directory, audience)) ?? application;
  const scopes = scope
    .split(' ')
    .map((each) => each.slice(each.lastIndexOf('/') + 1))
    .filter((each) => each !== '' && each !== '.default');
  const common = { iss: issuerOf(context), sub: person.id };
  // `.default` means everything granted, which for users is to act as themselves.
  const access = await context.key.sign(
    {
      ...claimsFor(resource),
      ...(await rolesClaim(context.directory, person, audience)),
      ...common,
      azp: clientId,
      appid: clientId,
      aud: audience,
      scp: scopes.join(' ') || 'user_impersonation',
    },
    tokenSeconds,
  );
  const idToken = await context.key.sign(
    {
      ...claimsFor(application),
      ...(await rolesClaim(context.directory, person, clientId)),
      ...common,
      aud: clientId,
    },
    tokenSeconds,
  );
  return issue(
    access,
    scope.split(' ').includes('openid') ? { id_token: idToken, scope } : { scope },
  );
}

/**
 * The resource in scopes, before their last slash: an address, or `api://…`; the application's own
 * for its own id.
 */
export function resourceOf(scope: string, clientId: string): string | undefined {
  for (const each of scope.split(' ')) {
    const match = /^(.+)\/[^/]+$/.exec(each)?.[1];
    if (match !== undefined)
      return match === clientId || match === `api://${clientId}`
        ? clientId
        : match.replace(/\/+$/, '');
  }
  return undefined;
}

/** The answer to a refused request; the cloud's clients read the numbers in its description. */
export function oauthError(status: number, error: string, description: string): OAuthAnswer {
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

function audienceOf(scope: string): string | undefined {
  const first = scope.split(' ').find((each) => each.endsWith('/.default'));
  return first?.slice(0, -'/.default'.length).replace(/\/+$/, '') || undefined;
}

function issue(token: string, more: Readonly<Record<string, unknown>> = {}): OAuthAnswer {
  return {
    status: 200,
    body: {
      token_type: 'Bearer',
      expires_in: tokenSeconds,
      ext_expires_in: tokenSeconds,
      access_token: token,
      ...more,
    },
  };
}
