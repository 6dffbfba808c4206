import { type IdentityProviderContext, issuerOf } from './context.js';
import {
  type OAuthResponse,
  unknownApplicationError,
  missingSecretError,
  wrongSecretError,
  oauthError,
  tokenResponse,
  tokenLifetimeSeconds,
} from './oauth-response.js';
import { disabledResourceError } from './request-errors.js';
import { trimEnd } from '../../core/text/trim-end.js';

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

/** The audience that the scope `<audience>/.default` names. */
function audienceOf(scope: string): string | undefined {
  const defaultScope = scope.split(' ').find((each) => each.endsWith('/.default'));
  return trimEnd(defaultScope?.slice(0, -'/.default'.length) ?? '', '/') || undefined;
}
