import { optional } from '../build.js';
import type { Body } from '../schema.js';

/** The provider block of fabric: accepted as the official provider takes it. */
export const providerConfig: Body = {
  attributes: {
    auxiliary_tenant_ids: optional(['set', 'string']),
    azure_devops_service_connection_id: optional('string'),
    client_certificate: optional('string', { sensitive: true }),
    client_certificate_file_path: optional('string'),
    client_certificate_password: optional('string', { sensitive: true }),
    client_id: optional('string'),
    client_id_file_path: optional('string'),
    client_secret: optional('string', { sensitive: true }),
    client_secret_file_path: optional('string'),
    disable_terraform_partner_id: optional('bool'),
    endpoint: optional('string'),
    environment: optional('string'),
    oidc_request_token: optional('string', { sensitive: true }),
    oidc_request_url: optional('string'),
    oidc_token: optional('string', { sensitive: true }),
    oidc_token_file_path: optional('string'),
    partner_id: optional('string'),
    preview: optional('bool'),
    tenant_id: optional('string'),
    timeout: optional('string'),
    use_cli: optional('bool'),
    use_dev_cli: optional('bool'),
    use_msi: optional('bool'),
    use_oidc: optional('bool'),
    use_workspace_private_link_endpoint: optional('bool'),
  },
};
