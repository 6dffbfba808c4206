import type { ProviderFunction } from '../../server/provider.js';
import { withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { finders } from './finders.js';
import { contentDecode } from './content-decode.js';
import { folder } from './folder.js';
import { eventhouseData, eventstreamData } from './item-data.js';
import { eventhouse, eventstream, kqlDatabase } from './items.js';
import { workspaceRoleAssignment } from './workspace-role-assignment.js';
import { capacityData, workspace, workspaceData } from './workspace.js';

/** The resource types of fabric that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    fabric_workspace: workspace,
    fabric_eventhouse: eventhouse,
    fabric_eventstream: eventstream,
    fabric_kql_database: kqlDatabase,
    fabric_workspace_role_assignment: workspaceRoleAssignment,
    fabric_folder: folder,
  },
  finders,
);

/** The data sources of fabric that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  fabric_workspace: workspaceData,
  fabric_capacity: capacityData,
  fabric_eventhouse: eventhouseData,
  fabric_eventstream: eventstreamData,
};

/** The functions of fabric. */
export const functions: Readonly<Record<string, ProviderFunction>> = { content_decode: contentDecode };
