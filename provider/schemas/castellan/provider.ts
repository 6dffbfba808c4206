import { optional } from '../schema-builders.js';
import type { BlockSchema } from '../schema.js';

/**
 * The provider block of castellan: everything is optional. The sandbox sets the connection; for the
 * cloud each setting has an environment variable.
 */
export const providerConfig: BlockSchema = {
  attributes: {
    tenant_id: optional('string', { description: 'The tenant. Environment: ARM_TENANT_ID.' }),
    client_id: optional('string', {
      description: 'The application that signs in. Environment: ARM_CLIENT_ID.',
    }),
    client_secret: optional('string', {
      sensitive: true,
      description: "The application's client secret. Environment: ARM_CLIENT_SECRET.",
    }),
    use_cli: optional('bool', {
      description:
        'Get tokens from the az command if no client secret is set. Environment: ARM_USE_CLI. Default true.',
    }),
    use_msi: optional('bool', {
      description: 'Get tokens from the managed identity of the machine. Environment: ARM_USE_MSI.',
    }),
    directory_endpoint: optional('string', {
      description:
        'The address of the directory. Environment: CASTELLAN_DIRECTORY_ENDPOINT. Default https://graph.microsoft.com.',
    }),
    items_endpoint: optional('string', {
      description:
        'The address of the items service. Environment: FABRIC_ENDPOINT. Default https://api.fabric.microsoft.com.',
    }),
    authority_host: optional('string', {
      description:
        'The address that issues tokens. Environment: ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST. Default https://login.microsoftonline.com.',
    }),
    ca_file: optional('string', {
      description:
        "A PEM file with certificates to trust in addition to the system's. Environment: CASTELLAN_CA_FILE, SSL_CERT_FILE.",
    }),
  },
};
