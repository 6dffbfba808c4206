import type { ProviderFunction, DataSourceHandler, ResourceHandler } from '../handler.js';
import { contentDecode } from './content-decode.js';
import { folder } from './folder.js';
import { capacityData, workspace, workspaceData } from './workspace.js';
import { workspaceRoleAssignment } from './workspace-role-assignment.js';
import {
  eventhouseData,
  eventstreamData,
  eventhouse,
  eventstream,
  kqlDatabase,
} from './item-types.js';

/** The resource types of fabric that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = {
  fabric_workspace: workspace,
  fabric_eventhouse: eventhouse,
  fabric_eventstream: eventstream,
  fabric_kql_database: kqlDatabase,
  fabric_workspace_role_assignment: workspaceRoleAssignment,
  fabric_folder: folder,
};

/** The data sources of fabric that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  fabric_workspace: workspaceData,
  fabric_capacity: capacityData,
  fabric_eventhouse: eventhouseData,
  fabric_eventstream: eventstreamData,
};

/** The functions of fabric. */
export const functions: Readonly<Record<string, ProviderFunction>> = {
  content_decode: contentDecode,
};
