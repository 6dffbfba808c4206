import { randomUUID } from 'node:crypto';
import { listDomains } from '../domains/domains-module.js';
import { badRequest, objectConflict, created, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { securityIdentifier } from '../groups/group-type.js';
import { formatInstant } from '../kernel/presentation.js';
import { withAccountDefaults } from '../users/user-rules.js';
import { userType } from '../users/user-type.js';

/**
 * Invites a user of another organization: creates the account of a guest, or of a member if the
 * request says so, whose acceptance is pending. No mail is sent.
 */
export async function inviteUser(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const body = request.json();
  const [email, redirectUrl] = ['invitedUserEmailAddress', 'inviteRedirectUrl'].map((name) => {
    const value = body[name];
    if (typeof value !== 'string' || value === '')
      throw badRequest(
        `A value is required for property '${name}' of resource 'invitation'.`,
        name,
      );
    return value;
  }) as [string, string];
  if (!/^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/.test(email))
    throw badRequest(
      `'${email.slice(0, 100)}' is not an e-mail address.`,
      'invitedUserEmailAddress',
    );
  const { invitedUserType = 'Guest', invitedUserDisplayName = null } = body;
  if (invitedUserType !== 'Guest' && invitedUserType !== 'Member')
    throw badRequest("'invitedUserType' must be Guest or Member.", 'invitedUserType');
  if (invitedUserDisplayName !== null && typeof invitedUserDisplayName !== 'string')
    throw badRequest("'invitedUserDisplayName' must be a string.", 'invitedUserDisplayName');
  if (!URL.canParse(redirectUrl))
    throw badRequest(`'${redirectUrl}' is not a URL.`, 'inviteRedirectUrl');
  const domain = (await listDomains(directory))[0]?.id ?? 'localhost';
  const userPrincipalName = `${email.replace('@', '_')}#EXT#@${domain}`;
  const now = formatInstant(directory.clock.now());
  const guest = await directory.sql.transaction(async () => {
    if (
      (await directory.objects.findBy('user', 'user_principal_name', userPrincipalName)).length > 0
    )
      throw objectConflict(
        `A user with the address '${email}' has already been invited.`,
        'invitedUserEmailAddress',
      );
    const id = randomUUID();
    return directory.objects.create(userType, id, {
      createdDateTime: now,
      securityIdentifier: securityIdentifier(id),
      creationType: 'Invitation',
      externalUserState: 'PendingAcceptance',
      externalUserStateChangeDateTime: now,
      ...withAccountDefaults({ userPrincipalName, mail: email, userType: invitedUserType }, id),
      displayName: invitedUserDisplayName ?? email.split('@')[0],
    });
  });
  const id = randomUUID();
  return created({
    '@odata.context': `${request.base}/$metadata#invitations/$entity`,
    id,
    inviteRedeemUrl: `${request.base}/redeem?ticket=${id}`,
    invitedUserDisplayName,
    invitedUserType,
    invitedUserEmailAddress: email,
    sendInvitationMessage: body['sendInvitationMessage'] ?? false,
    inviteRedirectUrl: redirectUrl,
    resetRedemption: false,
    status: 'PendingAcceptance',
    invitedUserMessageInfo: body['invitedUserMessageInfo'] ?? null,
    invitedUser: { id: guest.id },
  });
}
