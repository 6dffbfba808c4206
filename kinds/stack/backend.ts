import { closedObject, type DeclarationOf, boolean, text } from '../schema/schema-builders.js';

/** Where Terraform keeps the state of the stack: exactly one of `local`, `azurerm` and `remote`. */
export const backendSchema = closedObject(
  {
    local: closedObject(
      { path: text('The state file. Default: beside the synthesized stack.', { minLength: 1 }) },
      { description: 'A file.' },
    ),
    azurerm: closedObject(
      {
        resourceGroupName: text('The resource group of the storage account.', { minLength: 1 }),
        storageAccountName: text('The storage account.', {
          pattern: '^[a-z0-9]{3,24}$',
          patternDescription: '3 to 24 lower-case letters and digits',
        }),
        containerName: text('The blob container.', {
          pattern: '^[a-z0-9]([a-z0-9-]{1,61})[a-z0-9]$',
          patternDescription: '3 to 63 lower-case letters, digits and inner hyphens',
        }),
        key: text('The name of the blob.', { minLength: 1 }),
        subscriptionId: text('The subscription of the storage account.', { minLength: 1 }),
        tenantId: text('The tenant of the storage account.', { minLength: 1 }),
        useAzureadAuth: boolean('Whether the directory, not an account key, grants access.', {
          default: true,
        }),
        useOidc: boolean('Whether the caller signs in with a federated token.', { default: false }),
      },
      {
        description: 'A blob of a storage account.',
        required: ['storageAccountName', 'containerName', 'key'],
      },
    ),
    remote: closedObject(
      {
        hostname: text('The host. Default: app.terraform.io.', { minLength: 1 }),
        organization: text('The organization.', { minLength: 1 }),
        workspaces: closedObject(
          {
            name: text('One workspace.', { minLength: 1 }),
            prefix: text(
              'The prefix of several workspaces, of which TF_WORKSPACE names one by the rest of its name. Default: the name of the stack and a hyphen.',
              { minLength: 1 },
            ),
          },
          { description: 'The workspaces with the states: name or prefix.', maxProperties: 1 },
        ),
      },
      {
        description: 'A remote service that stores states.',
        required: ['organization', 'workspaces'],
      },
    ),
  },
  {
    description: 'The backend of the Terraform state: local (default), azurerm or remote.',
    minProperties: 1,
    maxProperties: 1,
  },
);

/** Where Terraform keeps the state of the stack. */
export type BackendProps = DeclarationOf<typeof backendSchema>;
