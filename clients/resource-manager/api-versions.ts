/** The versions of the interface that the client speaks, by resource type: those that the official providers use. */
export const apiVersions = {
  'Microsoft.Resources/resourceGroups': '2023-07-01',
  'Microsoft.App/managedEnvironments': '2025-07-01',
  'Microsoft.App/containerApps': '2025-07-01',
  'Microsoft.App/containerApps/authConfigs': '2025-07-01',
  'Microsoft.OperationalInsights/workspaces': '2025-07-01',
  /** Workspace keys and deletion are served by an older version only. */
  'Microsoft.OperationalInsights/workspaces/sharedKeys': '2020-08-01',
  'Microsoft.ManagedIdentity/userAssignedIdentities': '2024-11-30',
  'Microsoft.Resources/providers': '2022-09-01',
} as const;

/** A resource type of {@link apiVersions}. */
export type ResourceType = keyof typeof apiVersions;
