import { DirectoryError, badRequest, conflict } from '../http/errors.js';
import type { Directory } from '../kernel/directory.js';
import { verifiedDomains } from '../domains/domain-names.js';
import type { Body, StoredObject } from '../store/objects.js';
import { fold } from '../odata/index.js';

const lengths: Readonly<Record<string, number>> = {
  displayName: 256,
  mailNickname: 64,
  jobTitle: 128,
  department: 64,
  givenName: 64,
  surname: 64,
  employeeId: 16,
  city: 128,
  country: 128,
  companyName: 64,
  officeLocation: 128,
  postalCode: 40,
  state: 128,
  streetAddress: 1024,
};
const policies = ['none', 'disablestrongpassword', 'disablepasswordexpiration'];

/**
 * Holds a user's values against the rules of the directory.
 *
 * @throws DirectoryError 400 naming the property.
 */
export async function checkUser(directory: Directory, values: Body, current?: StoredObject): Promise<void> {
  for (const [name, maximum] of Object.entries(lengths)) {
    const value = values[name];
    if (typeof value === 'string' && value.length > maximum)
      throw badRequest(`Invalid value specified for property '${name}': at most ${maximum} characters are allowed.`, name);
  }
  if (values['displayName'] === '') throw badRequest("A value is required for property 'displayName' of resource 'user'.", 'displayName');
  checkPolicies(values['passwordPolicies']);
  const location = values['usageLocation'];
  if (typeof location === 'string' && !/^[A-Za-z]{2}$/.test(location))
    throw badRequest("Invalid value specified for property 'usageLocation': a two-letter country code is expected.", 'usageLocation');
  if (values['userPrincipalName'] !== undefined) await checkPrincipalName(directory, String(values['userPrincipalName']), current?.id);
}

function checkPolicies(value: unknown): void {
  if (typeof value !== 'string' || value === '') return;
  const wrong = value.split(',').find((policy) => !policies.includes(policy.trim().toLowerCase()));
  if (wrong !== undefined)
    throw badRequest(`Invalid value specified for property 'passwordPolicies': '${wrong.trim()}' is not a policy.`, 'passwordPolicies');
}

/**
 * A user principal name: `local@domain` with a verified domain, unique without regard to letter case among live users.
 *
 * @throws DirectoryError 400.
 */
export async function checkPrincipalName(directory: Directory, name: string, ownId?: string): Promise<void> {
  const match = /^[^\s@"()<>[\]:;,\\]{1,64}@([^\s@]{1,255})$/.exec(name);
  if (!match?.[1])
    throw badRequest(
      "Invalid value specified for property 'userPrincipalName': a name such as ada@contoso.com is expected.",
      'userPrincipalName',
    );
  const domains = await verifiedDomains(directory);
  if (!domains.has(fold(match[1])))
    throw badRequest(
      'The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain names in your organization.',
      'userPrincipalName',
    );
  for (const other of await directory.objects.findBy('user', 'user_principal_name', name))
    if (other.id !== ownId)
      throw conflict('userPrincipalName', 'Another object with the same value for property userPrincipalName already exists.');
}

/** 404 with the message for a missing manager, unlike that for a missing user. */
export function managerNotFound(): DirectoryError {
  return new DirectoryError(
    404,
    'Request_ResourceNotFound',
    "Resource 'manager' does not exist or one of its queried reference-property objects are not present.",
  );
}
