import { capacityData, workspaceData, folder, workspace, workspaceRoleAssignment } from './workspace.js';
import { eventhouseData, eventhouse } from './eventhouse.js';
import { eventstreamData, eventstream } from './eventstream.js';
import { kqlDatabase } from './kql-database.js';
import { providerConfig } from './provider.js';
import type { ProviderSchema } from '../schema.js';

/** microsoft/fabric 1.13. */
export const fabricSchema: ProviderSchema = {
  address: 'registry.terraform.io/microsoft/fabric',
  style: 'framework',
  config: providerConfig,
  resources: {
    fabric_workspace: workspace,
    fabric_eventhouse: eventhouse,
    fabric_eventstream: eventstream,
    fabric_kql_database: kqlDatabase,
    fabric_workspace_role_assignment: workspaceRoleAssignment,
    fabric_folder: folder,
  },
  dataSources: {
    fabric_workspace: workspaceData,
    fabric_capacity: capacityData,
    fabric_eventhouse: eventhouseData,
    fabric_eventstream: eventstreamData,
  },
};
