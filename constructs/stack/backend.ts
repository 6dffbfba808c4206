import type { BackendProps } from '../../kinds/index.js';
import type { TerraformBackend, TerraformStack } from '../internal/cdktf.js';
import { AzurermBackend, LocalBackend, NamedRemoteWorkspace, PrefixedRemoteWorkspaces, RemoteBackend } from '../internal/cdktf.js';
import { optionalText } from '../internal/literal-text.js';

/**
 * Where Terraform keeps the state of a stack.
 *
 * @param localPath the state file of the `local` kind, seen from the folder of the synthesized stack.
 */
export function createBackend(stack: TerraformStack, { azurerm, remote }: BackendProps, localPath: string): TerraformBackend {
  if (azurerm !== undefined)
    return new AzurermBackend(stack, {
      ...azurerm,
      useAzureadAuth: azurerm.useAzureadAuth ?? true,
      resourceGroupName: optionalText(azurerm.resourceGroupName),
    });
  if (remote !== undefined) {
    const { hostname, organization, workspaces } = remote;
    return new RemoteBackend(stack, {
      hostname,
      organization,
      workspaces:
        workspaces.name === undefined
          ? new PrefixedRemoteWorkspaces(workspaces.prefix ?? `${stack.node.id}-`)
          : new NamedRemoteWorkspace(workspaces.name),
    });
  }
  return new LocalBackend(stack, { path: localPath });
}
