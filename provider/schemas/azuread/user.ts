import { computed, optional, optionalComputed, required, timeoutsBlock, dataOf, foundByOne, manyFoundByOne, listOf } from '../build.js';
import { length, notEmpty, oneOf, rfc3339, uuid } from '../checks.js';
import { emailAddress } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_user. */
export const user: ResourceSchema = {
  version: 1,
  attributes: {
    about_me: computed('string'),
    account_enabled: optional('bool', { default: true }),
    age_group: optional('string', { checks: [oneOf('', 'Adult', 'Minor', 'NotAdult')] }),
    business_phones: optionalComputed(['list', 'string']),
    city: optional('string'),
    company_name: optional('string'),
    consent_provided_for_minor: optional('string', { checks: [oneOf('', 'Denied', 'Granted', 'NotRequired')] }),
    cost_center: optional('string'),
    country: optional('string'),
    creation_type: computed('string'),
    department: optional('string'),
    disable_password_expiration: optional('bool', { default: false }),
    disable_strong_password: optional('bool', { default: false }),
    display_name: required('string', { checks: [notEmpty] }),
    division: optional('string'),
    employee_hire_date: optional('string', { checks: [rfc3339] }),
    employee_id: optional('string'),
    employee_type: optional('string'),
    external_user_state: computed('string'),
    fax_number: optional('string'),
    force_password_change: optional('bool', { default: false }),
    given_name: optional('string'),
    id: optionalComputed('string'),
    im_addresses: computed(['list', 'string']),
    job_title: optional('string'),
    mail: optionalComputed('string', { checks: [emailAddress] }),
    mail_nickname: optionalComputed('string', { checks: [notEmpty] }),
    manager_id: optional('string', { checks: [uuid] }),
    mobile_phone: optional('string'),
    object_id: computed('string'),
    office_location: optional('string'),
    onpremises_distinguished_name: computed('string'),
    onpremises_domain_name: computed('string'),
    onpremises_immutable_id: optionalComputed('string'),
    onpremises_sam_account_name: computed('string'),
    onpremises_security_identifier: computed('string'),
    onpremises_sync_enabled: computed('bool'),
    onpremises_user_principal_name: computed('string'),
    other_mails: optional(['set', 'string']),
    password: optionalComputed('string', { sensitive: true, checks: [length(1, 256)] }),
    postal_code: optional('string'),
    preferred_language: optional('string'),
    proxy_addresses: computed(['list', 'string']),
    show_in_address_list: optional('bool', { default: true }),
    state: optional('string'),
    street_address: optional('string'),
    surname: optional('string'),
    usage_location: optional('string', { checks: [notEmpty] }),
    user_principal_name: required('string', { checks: [emailAddress] }),
    user_type: computed('string'),
  },
  blocks: { ...timeoutsBlock() },
};

/** The data source azuread_user. */
export const userData = dataOf(
  user,
  foundByOne({ employee_id: notEmpty, mail: notEmpty, mail_nickname: notEmpty, object_id: uuid, user_principal_name: notEmpty }),
  ['about_me', 'disable_password_expiration', 'disable_strong_password', 'force_password_change', 'password'],
);

/** The data source azuread_users. */
export const usersData: ResourceSchema = {
  version: 0,
  attributes: {
    ...manyFoundByOne({
      object_ids: uuid,
      user_principal_names: notEmpty,
      mail_nicknames: notEmpty,
      mails: notEmpty,
      employee_ids: notEmpty,
    }),
    users: computed(
      listOf({
        account_enabled: 'bool',
        display_name: 'string',
        employee_id: 'string',
        mail: 'string',
        mail_nickname: 'string',
        object_id: 'string',
        onpremises_immutable_id: 'string',
        onpremises_sam_account_name: 'string',
        onpremises_user_principal_name: 'string',
        usage_location: 'string',
        user_principal_name: 'string',
      }),
    ),
  },
  blocks: timeoutsBlock('read'),
};
