import { normalizeId } from '../internal/object-id.js';
import type { Workspace } from './workspace.js';

/** The workspace of an item: one of the stack, or the id of one that exists already. */
export type WorkspaceReference = Workspace | string;

/** The id of a workspace. */
export function workspaceIdOf(workspace: WorkspaceReference): string {
  return typeof workspace === 'string' ? normalizeId(workspace) : workspace.workspaceId;
}
