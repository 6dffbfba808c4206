import { nested, optional, computed, timeoutsBlock } from '../build.js';
import { credentials } from '../credentials.js';
import type { Body, ResourceSchema } from '../schema.js';

/** The provider block of azapi: accepted as the official provider takes it. */
export const providerConfig: Body = {
  attributes: {
    ...credentials,
    always_acquire_policy_token: optional('bool'),
    auxiliary_tenant_ids: optional(['list', 'string']),
    custom_correlation_request_id: optional('string'),
    default_location: optional('string'),
    default_name: optional('string'),
    default_tags: optional(['map', 'string']),
    disable_correlation_request_id: optional('bool'),
    disable_default_output: optional('bool'),
    disable_instance_discovery: optional('bool'),
    enable_preflight: optional('bool'),
    endpoint: nested('optional', 'list', {
      active_directory_authority_host: optional('string'),
      resource_manager_audience: optional('string'),
      resource_manager_endpoint: optional('string'),
    }),
    ignore_no_op_changes: optional('bool'),
    maximum_busy_retry_attempts: optional('number'),
    oidc_azure_service_connection_id: optional('string'),
    preserve_resource_id_casing: optional('bool'),
    skip_provider_registration: optional('bool'),
    subscription_id: optional('string'),
  },
};

/** The data source azapi_client_config. */
export const clientConfigData: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    object_id: computed('string'),
    subscription_id: computed('string'),
    subscription_resource_id: computed('string'),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
