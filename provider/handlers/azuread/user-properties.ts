import type { User } from '../../../clients/directory/index.js';
import { given, object } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { userId } from './ids.js';

/** Attributes of a user by the property they come from. */
export const userAttributes = {
  about_me: 'aboutMe',
  age_group: 'ageGroup',
  business_phones: 'businessPhones',
  city: 'city',
  company_name: 'companyName',
  consent_provided_for_minor: 'consentProvidedForMinor',
  country: 'country',
  creation_type: 'creationType',
  department: 'department',
  display_name: 'displayName',
  employee_hire_date: 'employeeHireDate',
  employee_id: 'employeeId',
  employee_type: 'employeeType',
  external_user_state: 'externalUserState',
  fax_number: 'faxNumber',
  given_name: 'givenName',
  im_addresses: 'imAddresses',
  job_title: 'jobTitle',
  mail: 'mail',
  mail_nickname: 'mailNickname',
  mobile_phone: 'mobilePhone',
  office_location: 'officeLocation',
  onpremises_distinguished_name: 'onPremisesDistinguishedName',
  onpremises_domain_name: 'onPremisesDomainName',
  onpremises_immutable_id: 'onPremisesImmutableId',
  onpremises_sam_account_name: 'onPremisesSamAccountName',
  onpremises_security_identifier: 'onPremisesSecurityIdentifier',
  onpremises_sync_enabled: 'onPremisesSyncEnabled',
  onpremises_user_principal_name: 'onPremisesUserPrincipalName',
  other_mails: 'otherMails',
  postal_code: 'postalCode',
  preferred_language: 'preferredLanguage',
  proxy_addresses: 'proxyAddresses',
  state: 'state',
  street_address: 'streetAddress',
  surname: 'surname',
  usage_location: 'usageLocation',
  user_principal_name: 'userPrincipalName',
  user_type: 'userType',
} as const;

const lists = new Set(['business_phones', 'im_addresses', 'other_mails', 'proxy_addresses']);

/** The properties to ask for: by default the directory answers with eleven only. */
export const userSelect: readonly string[] = [
  'id',
  'accountEnabled',
  'employeeOrgData',
  'passwordPolicies',
  'showInAddressList',
  ...Object.values(userAttributes).filter((name) => !['aboutMe', 'onPremisesDistinguishedName', 'onPremisesDomainName'].includes(name)),
];

/** The attributes that come from the user itself. */
export function flattenUser(user: User): Reported {
  const organization = object(user, 'employeeOrgData');
  const entries = Object.entries(userAttributes).map(([attribute, property]) => {
    const empty = lists.has(attribute) ? [] : attribute === 'onpremises_sync_enabled' ? false : '';
    return [attribute, given(user, property) ?? empty] as const;
  });
  return {
    ...Object.fromEntries(entries),
    id: userId(user.id),
    object_id: user.id,
    account_enabled: user.accountEnabled ?? false,
    cost_center: given(organization, 'costCenter') ?? '',
    division: given(organization, 'division') ?? '',
    show_in_address_list: user.showInAddressList ?? true,
  };
}
