import { CastellanError } from '../../../core/errors/castellan-error.js';
import { mistakeInBody } from '../../../kinds/schema/request-body.js';
import { canonicalValue } from '../../../kinds/schema/find-mistake.js';
import { user } from '../../../kinds/user/user.js';
import { DirectoryError, badRequest } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { verifiedDomains } from '../domains/domains-module.js';
import type { Body, StoredObject } from '../store/objects.js';
import { foldCase } from '../odata/index.js';
import { requireUnique } from '../kernel/single-object.js';

/**
 * Checks a user's values against the rules of the directory.
 *
 * @throws DirectoryError 400 naming the property.
 */
export async function checkUser(
  directory: Directory,
  values: Body,
  current?: StoredObject,
): Promise<void> {
  if (values['displayName'] === '')
    throw badRequest(
      "A value is required for property 'displayName' of resource 'user'.",
      'displayName',
    );
  const mistake = mistakeInBody(user.properties, values, { anyCase: true });
  if (mistake)
    throw badRequest(
      `Invalid value specified for property '${mistake.path}': ${mistake.message}.`,
      mistake.path,
    );
  if (values['userPrincipalName'] !== undefined)
    await checkPrincipalName(directory, String(values['userPrincipalName']), current?.id);
}

/** Values whose enumerated words have the spelling of the description; any letter case is taken. */
export function withCanonicalValues(values: Body): Body {
  return canonicalValue(user.schema, values) as Body;
}

/**
 * Checks that a user principal name has a verified domain and is unique among live users, letter
 * case ignored.
 */
async function checkPrincipalName(
  directory: Directory,
  name: string,
  ownId?: string,
): Promise<void> {
  const domains = await verifiedDomains(directory);
  if (!domains.has(foldCase(name.slice(name.indexOf('@') + 1))))
    throw badRequest(
      'The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain names in your organization.',
      'userPrincipalName',
    );
  await requireUnique(directory, 'user', 'user_principal_name', 'userPrincipalName', name, ownId);
}

/** The problem of a seed whose users share a name. */
export function duplicateNameError(
  name: string,
  firstUser: string,
  secondUser: string,
): CastellanError {
  return new CastellanError(
    'CAS4002',
    `users: ${JSON.stringify(name)} is the user principal name of both ${firstUser} and ${secondUser}; it must be unique, letter case ignored`,
  );
}

/** 404: the user has no manager. Its message differs from that for an unknown user. */
export function managerNotFound(): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    "Resource 'manager' does not exist or one of its queried reference-property objects are not present.",
  );
}

/** A user's properties with the defaults of a new account. */
export function withAccountDefaults(values: Body, id: string): Record<string, unknown> {
  const localPart = String(values['userPrincipalName'] ?? '').split('@')[0] ?? '';
  const mail = typeof values['mail'] === 'string' ? values['mail'] : undefined;
  return {
    accountEnabled: true,
    userType: 'Member',
    ...(mail !== undefined && { proxyAddresses: [`SMTP:${mail}`] }),
    ...values,
    displayName: values['displayName'] ?? values['userPrincipalName'] ?? id,
    mailNickname: values['mailNickname'] ?? (localPart === '' ? null : localPart),
  };
}
