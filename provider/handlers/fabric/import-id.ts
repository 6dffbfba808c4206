import { ProviderFailure } from '../handler.js';
import { isGuid } from '../../../core/values/guid.js';

/** Takes `<workspace>/<item>` apart; ids in upper case are accepted and written in lower case. */
export function importItem(id: string): { readonly workspace_id: string; readonly id: string } {
  const [workspace = '', item = '', ...more] = id.split('/');
  if (more.length > 0 || !isGuid(workspace) || !isGuid(item))
    throw new ProviderFailure('Invalid import identifier', `Expected identifier with format: WorkspaceID/ItemID (two UUIDs), got: ${id}`);
  return { workspace_id: workspace.toLowerCase(), id: item.toLowerCase() };
}

/** Takes the id of a workspace. */
export function importWorkspace(id: string): { readonly id: string } {
  if (!isGuid(id)) throw new ProviderFailure('Invalid import identifier', `Expected the UUID of the workspace, got: ${id}`);
  return { id: id.toLowerCase() };
}
