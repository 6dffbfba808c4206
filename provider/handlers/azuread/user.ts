import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { quote, type User, type UserDraft } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { Value, ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure } from '../handler.js';
import {
  differsIn,
  isTrue,
  textOrEmpty,
  optionalText,
  textOrNull,
  textList,
  propertyAsValue,
  objectProperty,
} from '../read-values.js';
import { findBestMatch, objectHandler } from './directory-object.js';
import { userId } from './ids.js';

/** Attributes that only the directory sets, or that are sent differently. */
const notSent = new Set([
  'about_me',
  'business_phones',
  'creation_type',
  'employee_hire_date',
  'external_user_state',
  'im_addresses',
  'mail',
  'onpremises_immutable_id',
  'other_mails',
  'proxy_addresses',
  'user_type',
  'display_name',
  'mail_nickname',
  'user_principal_name',
]);

/** The resource azuread_user. */
export const user = objectHandler<User>(
  {
    collection: 'users',
    objects: ({ users }) => ({
      find: (id, call) => users.find(id, { ...call, select: userSelect }),
      delete: (id, call) => users.delete(id, call),
    }),
    toState,
  },
  {
    async create({ planned, ...context }) {
      const { api, signal } = context;
      const password = optionalText(planned, 'password');
      if (password === undefined)
        throw new ProviderFailure('`password` is required when creating a new user', undefined, [
          'password',
        ]);
      const nickname =
        optionalText(planned, 'mail_nickname') ??
        textOrEmpty(planned, 'user_principal_name').split('@')[0] ??
        '';
      const profile = {
        passwordProfile: {
          password,
          forceChangePasswordNextSignIn: isTrue(planned, 'force_password_change'),
        },
      };
      const answer = await api.directory.users.create(
        { ...userDraft(planned), mailNickname: nickname, ...profile },
        { signal },
      );
      context.reportCreated({ id: `/users/${answer.id}`, object_id: answer.id });
      await api.directory.users.update(
        answer.id,
        { showInAddressList: planned['show_in_address_list'] !== false },
        { version: 'beta', signal },
      );
      const manager = optionalText(planned, 'manager_id');
      if (manager !== undefined)
        await api.directory.users.setManager(answer.id, manager, { signal });
      return toState(
        await api.directory.users.get(answer.id, { select: userSelect, signal }),
        context,
      );
    },
    async update({ prior, planned, ...context }) {
      const { api, signal } = context;
      const id = textOrEmpty(prior, 'object_id');
      const password = optionalText(planned, 'password');
      const profile =
        differsIn(prior, planned, 'password') && password !== undefined
          ? {
              passwordProfile: {
                password,
                forceChangePasswordNextSignIn: isTrue(planned, 'force_password_change'),
              },
            }
          : {};
      const nickname = optionalText(planned, 'mail_nickname');
      await api.directory.users.update(
        id,
        {
          ...userDraft(planned),
          ...clearedValues(prior, planned),
          ...omitUndefined({ mailNickname: nickname }),
          ...profile,
        },
        { signal },
      );
      if (differsIn(prior, planned, 'show_in_address_list'))
        await api.directory.users.update(
          id,
          { showInAddressList: planned['show_in_address_list'] !== false },
          { version: 'beta', signal },
        );
      if (differsIn(prior, planned, 'manager_id')) {
        const manager = optionalText(planned, 'manager_id');
        await (manager === undefined
          ? api.directory.users.removeManager(id, { signal })
          : api.directory.users.setManager(id, manager, { signal }));
      }
      return toState(await api.directory.users.get(id, { select: userSelect, signal }), context);
    },
    findExisting(call) {
      const { api, planned, signal } = call;
      const filter = `userPrincipalName eq ${quote(textOrEmpty(planned, 'user_principal_name'))}`;
      return findBestMatch('users', api.directory.users.list({ filter, signal }), call);
    },
    plan: ({ change }) => {
      const { config } = change;
      const [ageGroup, consent] = [
        optionalText(config, 'age_group'),
        optionalText(config, 'consent_provided_for_minor'),
      ];
      if (consent !== undefined && ageGroup !== undefined && ageGroup !== 'Minor')
        change.error(
          '`consent_provided_for_minor` can only be set when `age_group` is "Minor"',
          undefined,
          'consent_provided_for_minor',
        );
    },
  },
);

function userDraft(planned: ValueMap): UserDraft {
  const properties = Object.entries(userAttributes).filter(
    ([name]) => !notSent.has(name) && !name.startsWith('onpremises_'),
  );
  const policies = [
    isTrue(planned, 'disable_strong_password') ? 'DisableStrongPassword' : '',
    isTrue(planned, 'disable_password_expiration') ? 'DisablePasswordExpiration' : '',
  ].filter((each) => each !== '');
  return {
    ...(Object.fromEntries(
      properties.map(([name, property]) => [property, textOrNull(planned, name)]),
    ) as Partial<User>),
    ...omitUndefined({
      mail: optionalText(planned, 'mail'),
      businessPhones:
        textList(planned, 'business_phones').length === 0
          ? undefined
          : textList(planned, 'business_phones'),
      onPremisesImmutableId: optionalText(planned, 'onpremises_immutable_id'),
      employeeHireDate: optionalText(planned, 'employee_hire_date'),
    }),
    accountEnabled: planned['account_enabled'] !== false,
    displayName: textOrEmpty(planned, 'display_name'),
    employeeOrgData: {
      costCenter: textOrNull(planned, 'cost_center'),
      division: textOrNull(planned, 'division'),
    },
    otherMails: textList(planned, 'other_mails'),
    passwordPolicies: policies.length === 0 ? null : policies.join(', '),
    userPrincipalName: textOrEmpty(planned, 'user_principal_name'),
  };
}

/** What an update must empty: values that a draft leaves out when they are unset. */
function clearedValues(prior: ValueMap, planned: ValueMap): Partial<User> {
  return {
    ...(differsIn(prior, planned, 'business_phones') && {
      businessPhones: textList(planned, 'business_phones'),
    }),
    ...(differsIn(prior, planned, 'employee_hire_date') && {
      employeeHireDate: textOrNull(planned, 'employee_hire_date'),
    }),
  };
}

async function toState(user: User, { api, signal }: Context): Promise<ActualValues> {
  const policies = (user.passwordPolicies ?? '').toLowerCase();
  return {
    ...flattenUser(user),
    manager_id: (await api.directory.users.manager(user.id, { signal }))?.id ?? '',
    disable_strong_password: policies.includes('disablestrongpassword'),
    disable_password_expiration: policies.includes('disablepasswordexpiration'),
  };
}

/** The properties of the API, by the attributes of a user. */
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

const listAttributes = new Set([
  'business_phones',
  'im_addresses',
  'other_mails',
  'proxy_addresses',
]);

/** The properties to select: the directory returns only some of them by default. */
export const userSelect: readonly string[] = [
  'id',
  'accountEnabled',
  'employeeOrgData',
  'passwordPolicies',
  'showInAddressList',
  ...Object.values(userAttributes).filter(
    (name) => !['aboutMe', 'onPremisesDistinguishedName', 'onPremisesDomainName'].includes(name),
  ),
];

/** The value of an attribute that the directory did not return. */
function emptyAttribute(name: string): Value {
  if (listAttributes.has(name)) return [];
  return name === 'onpremises_sync_enabled' ? false : '';
}

/** The attributes that come from the user itself. */
export function flattenUser(user: User): ActualValues {
  const organization = objectProperty(user, 'employeeOrgData');
  const entries = Object.entries(userAttributes).map(([attribute, property]) => {
    return [attribute, propertyAsValue(user, property) ?? emptyAttribute(attribute)] as const;
  });
  return {
    ...Object.fromEntries(entries),
    id: userId(user.id),
    object_id: user.id,
    account_enabled: user.accountEnabled ?? false,
    cost_center: propertyAsValue(organization, 'costCenter') ?? '',
    division: propertyAsValue(organization, 'division') ?? '',
    show_in_address_list: user.showInAddressList ?? true,
  };
}
