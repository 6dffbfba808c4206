import { computed, optional, optionalComputed, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_domains. */
export const domainsData: ResourceSchema = {
  version: 0,
  attributes: {
    admin_managed: optional('bool'),
    domains: computed([
      'list',
      [
        'object',
        {
          admin_managed: 'bool',
          authentication_type: 'string',
          default: 'bool',
          domain_name: 'string',
          initial: 'bool',
          root: 'bool',
          supported_services: ['list', 'string'],
          verified: 'bool',
        },
      ],
    ]),
    id: optionalComputed('string'),
    include_unverified: optional('bool', { conflictsWith: ['only_default', 'only_initial'] }),
    only_default: optional('bool', { conflictsWith: ['only_initial', 'only_root'] }),
    only_initial: optional('bool', { conflictsWith: ['only_default', 'only_root'] }),
    only_root: optional('bool', { conflictsWith: ['only_default', 'only_initial'] }),
    supports_services: optional(['list', 'string']),
  },
  blocks: { ...timeoutsBlock('read') },
};
