import type { Mapping } from '../mapping.js';
import { map, text } from '../mapping.js';

/** How `fabric_workspace` says what a workspace is. */
export const workspace: readonly Mapping[] = [
  map('displayName', 'display_name'),
  map('description', 'description', text),
  map('capacityId', 'capacity_id'),
];

/** How `fabric_eventstream` says what an item is; its definition is in a template. */
export const eventstream: readonly Mapping[] = [
  map('displayName', 'display_name'),
  map('description', 'description', text),
  map('workspace', 'workspace_id'),
  map('folderId', 'folder_id'),
];

/** How `fabric_eventhouse` says what an eventhouse is. */
export const eventhouse: readonly Mapping[] = [...eventstream, map('minimumConsumptionUnits', 'configuration.minimum_consumption_units')];
