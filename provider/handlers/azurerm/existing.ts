import { ProviderFailure } from '../handler.js';

/** Refuses to create over something that is there already, as the official provider does. */
export function refuseExisting(found: unknown, id: string, typeName: string): void {
  if (found === undefined) return;
  throw new ProviderFailure(
    `a resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${typeName}" for more information.`,
  );
}

/** Checks the form of an id that is imported: segment names are case-sensitive. */
export function importById(form: string): (id: string) => { readonly id: string } {
  const segments = form.split('/');
  return (id) => {
    const given = id.split('/');
    const wrong = segments.findIndex((segment, index) =>
      segment.startsWith('{') ? (given[index] ?? '') === '' : given[index] !== segment,
    );
    if (given.length === segments.length && wrong < 0) return { id };
    const place = wrong < 0 ? '' : `\n\nThe segment at position ${Math.max(0, wrong - 1)} didn't match.`;
    throw new ProviderFailure('parsing the ID of the resource to import', `Expected the form ${form}, got ${id}.${place}`);
  };
}

export const idForms = {
  resourceGroup: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}',
  environment:
    '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.App/managedEnvironments/{managedEnvironmentName}',
  containerApp:
    '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.App/containerApps/{containerAppName}',
  logWorkspace:
    '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.OperationalInsights/workspaces/{workspaceName}',
  identity:
    '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{userAssignedIdentityName}',
} as const;

/** The name and group in an id of the resource manager. */
export function placeOf(id: string): { readonly name: string; readonly resourceGroup: string } {
  const parts = id.split('/');
  const group = parts.findIndex((part) => part.toLowerCase() === 'resourcegroups');
  return { name: parts.at(-1) ?? '', resourceGroup: parts[group + 1] ?? '' };
}
