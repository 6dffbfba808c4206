import { optional, computed, optionalComputed, timeoutsBlock } from '../build.js';
import { credentials } from '../credentials.js';
import type { Body, ResourceSchema } from '../schema.js';

/** The provider block of azuread: accepted as the official provider takes it. */
export const providerConfig: Body = {
  attributes: {
    ...credentials,
    ado_pipeline_service_connection_id: optional('string'),
    metadata_host: optional('string'),
    msi_endpoint: optional('string'),
  },
};

/** The data source azuread_client_config. */
export const clientConfigData: ResourceSchema = {
  version: 0,
  attributes: {
    client_id: computed('string'),
    id: optionalComputed('string'),
    object_id: computed('string'),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};

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
