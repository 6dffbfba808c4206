import type { Selectable } from 'kysely';
import type { CapacityTable, WorkspaceTable } from '../store/tables.js';

/** A workspace as listings show it. */
export function viewWorkspace(workspace: Selectable<WorkspaceTable>): Record<string, unknown> {
  return {
    id: workspace.id,
    displayName: workspace.display_name,
    description: workspace.description,
    type: workspace.type,
    ...(workspace.capacity_id === null ? {} : { capacityId: workspace.capacity_id }),
  };
}

/** A workspace as single answers show it. */
export function viewWorkspaceInfo(
  workspace: Selectable<WorkspaceTable>,
  capacity: Selectable<CapacityTable> | undefined,
): Record<string, unknown> {
  const identity =
    workspace.identity_application_id === null
      ? {}
      : {
          workspaceIdentity: {
            applicationId: workspace.identity_application_id,
            servicePrincipalId: workspace.identity_principal_id,
          },
        };
  return {
    ...viewWorkspace(workspace),
    capacityAssignmentProgress: 'Completed',
    ...(capacity === undefined ? {} : { capacityRegion: capacity.region }),
    oneLakeEndpoints: {
      blobEndpoint: `https://${workspace.id}.blob.onelake.localhost`,
      dfsEndpoint: `https://${workspace.id}.dfs.onelake.localhost`,
    },
    ...identity,
  };
}
