import { optional } from './build.js';

/** How azurerm, azuread and azapi sign in: settings of all three provider blocks, accepted as the official providers take them. */
export const credentials = {
  client_certificate: optional('string'),
  client_certificate_password: optional('string'),
  client_certificate_path: optional('string'),
  client_id: optional('string'),
  client_id_file_path: optional('string'),
  client_secret: optional('string'),
  client_secret_file_path: optional('string'),
  disable_terraform_partner_id: optional('bool'),
  environment: optional('string'),
  oidc_request_token: optional('string'),
  oidc_request_url: optional('string'),
  oidc_token: optional('string'),
  oidc_token_file_path: optional('string'),
  partner_id: optional('string'),
  tenant_id: optional('string'),
  use_aks_workload_identity: optional('bool'),
  use_cli: optional('bool'),
  use_msi: optional('bool'),
  use_oidc: optional('bool'),
};
