import { computed, optional, optionalComputed, timeoutsBlock } from '../../build.js';
import { notEmpty, uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_users. */
export const usersData: ResourceSchema = {
  version: 0,
  attributes: {
    employee_ids: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['object_ids', 'user_principal_names', 'mail_nicknames', 'mails', 'employee_ids', 'return_all'],
      checks: [notEmpty],
    }),
    id: optionalComputed('string'),
    ignore_missing: optional('bool', { default: false, conflictsWith: ['return_all'] }),
    mail_nicknames: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['object_ids', 'user_principal_names', 'mail_nicknames', 'mails', 'employee_ids', 'return_all'],
      checks: [notEmpty],
    }),
    mails: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['object_ids', 'user_principal_names', 'mail_nicknames', 'mails', 'employee_ids', 'return_all'],
      checks: [notEmpty],
    }),
    object_ids: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['object_ids', 'user_principal_names', 'mail_nicknames', 'mails', 'employee_ids', 'return_all'],
      checks: [uuid],
    }),
    return_all: optional('bool', {
      default: false,
      conflictsWith: ['ignore_missing'],
      exactlyOneOf: ['object_ids', 'user_principal_names', 'mail_nicknames', 'mails', 'employee_ids', 'return_all'],
    }),
    user_principal_names: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['object_ids', 'user_principal_names', 'mail_nicknames', 'mails', 'employee_ids', 'return_all'],
      checks: [notEmpty],
    }),
    users: computed([
      'list',
      [
        'object',
        {
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
        },
      ],
    ]),
  },
  blocks: { ...timeoutsBlock('read') },
};
