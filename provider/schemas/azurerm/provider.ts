import { block, optional, required, computed, optionalComputed, timeoutsBlock } from '../build.js';
import { credentials } from '../credentials.js';
import type { Body, ResourceSchema } from '../schema.js';

/** The provider block of azurerm: accepted as the official provider takes it. */
export const providerConfig: Body = {
  attributes: {
    ...credentials,
    ado_pipeline_service_connection_id: optional('string'),
    auxiliary_tenant_ids: optional(['list', 'string']),
    disable_correlation_request_id: optional('bool'),
    metadata_host: optional('string'),
    msi_api_version: optional('string'),
    msi_endpoint: optional('string'),
    resource_provider_registrations: optional('string'),
    resource_providers_to_register: optional(['list', 'string']),
    storage_use_azuread: optional('bool'),
    subscription_id: optional('string'),
    skip_provider_registration: optional('bool'),
  },
  blocks: {
    features: block(
      'list',
      {
        persist_id_on_create_before_polling_for_completion: optional('bool'),
        skip_import_check_on_create_and_allow_overwriting_existing_resources: optional('bool'),
      },
      {
        max: 1,
        blocks: {
          api_management: block('list', { purge_soft_delete_on_destroy: optional('bool'), recover_soft_deleted: optional('bool') }),
          app_configuration: block('list', { purge_soft_delete_on_destroy: optional('bool'), recover_soft_deleted: optional('bool') }),
          application_insights: block('list', { disable_generated_rule: optional('bool') }),
          cognitive_account: block('list', { purge_soft_delete_on_destroy: optional('bool') }),
          databricks_workspace: block('list', { force_delete: optional('bool') }),
          enhanced_validation: block('list', {
            locations: optional('bool'),
            preflight_enabled: optional('bool'),
            preflight_location_fallback: optional('string'),
            resource_providers: optional('bool'),
          }),
          key_vault: block('list', {
            purge_soft_delete_on_destroy: optional('bool'),
            purge_soft_deleted_certificates_on_destroy: optional('bool'),
            purge_soft_deleted_hardware_security_module_keys_on_destroy: optional('bool'),
            purge_soft_deleted_hardware_security_modules_on_destroy: optional('bool'),
            purge_soft_deleted_keys_on_destroy: optional('bool'),
            purge_soft_deleted_secrets_on_destroy: optional('bool'),
            recover_soft_deleted_certificates: optional('bool'),
            recover_soft_deleted_hardware_security_module_keys: optional('bool'),
            recover_soft_deleted_key_vaults: optional('bool'),
            recover_soft_deleted_keys: optional('bool'),
            recover_soft_deleted_secrets: optional('bool'),
          }),
          log_analytics_workspace: block('list', { permanently_delete_on_destroy: optional('bool') }),
          machine_learning: block('list', { purge_soft_deleted_workspace_on_destroy: optional('bool') }),
          managed_disk: block('list', { expand_without_downtime: optional('bool') }),
          netapp: block('list', { delete_backups_on_backup_vault_destroy: optional('bool'), prevent_volume_destruction: optional('bool') }),
          postgresql_flexible_server: block('list', { restart_server_on_configuration_value_change: optional('bool') }),
          recovery_service: block('list', {
            purge_protected_items_from_vault_on_destroy: optional('bool'),
            vm_backup_stop_protection_and_retain_data_on_destroy: optional('bool'),
            vm_backup_suspend_protection_and_retain_data_on_destroy: optional('bool'),
          }),
          recovery_services_vaults: block('list', { recover_soft_deleted_backup_protected_vm: optional('bool') }),
          resource_group: block('list', { prevent_deletion_if_contains_resources: optional('bool') }),
          servicebus: block('list', { auto_delete_subscription_default_rule: optional('bool') }),
          storage: block('list', { data_plane_available: optional('bool') }),
          subscription: block('list', { prevent_cancellation_on_destroy: optional('bool') }),
          template_deployment: block('list', { delete_nested_items_during_deletion: required('bool') }),
          virtual_machine: block('list', {
            delete_os_disk_on_deletion: optional('bool'),
            detach_implicit_data_disk_on_deletion: optional('bool'),
            skip_shutdown_and_force_delete: optional('bool'),
            graceful_shutdown: optional('bool'),
          }),
          virtual_machine_scale_set: block('list', {
            force_delete: optional('bool'),
            reimage_on_manual_upgrade: optional('bool'),
            roll_instances_when_required: optional('bool'),
            scale_to_zero_before_deletion: optional('bool'),
          }),
        },
      },
    ),
  },
};

/** The data source azurerm_client_config. */
export const clientConfigData: ResourceSchema = {
  version: 0,
  attributes: {
    client_id: computed('string'),
    id: optionalComputed('string'),
    object_id: computed('string'),
    subscription_id: computed('string'),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
