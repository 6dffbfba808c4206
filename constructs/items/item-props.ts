import type { CastellanItemConfig } from '../internal/castellan.js';
import type { FabricItemConfig } from '../internal/fabric.js';
import { literalText, optionalText } from '../internal/literal-text.js';
import { normalizedId } from '../internal/object-id.js';
import type { Workspace } from './workspace.js';

/** The workspace of an item: one of the stack, or the id of one that exists already. */
export type WorkspaceReference = Workspace | string;

/** What eventhouses and eventstreams have in common. */
export interface ItemProps {
  readonly workspace: WorkspaceReference;
  readonly displayName: string;
  readonly description?: string;
  readonly folderId?: string | null;
  readonly tags?: readonly string[];
  readonly sensitivityLabelSettings?: { readonly labelId: string; readonly sensitivityLabelApplyStrategy?: string };
}

/** The id of a workspace. */
export function workspaceIdOf(workspace: WorkspaceReference): string {
  return typeof workspace === 'string' ? normalizedId(workspace) : workspace.workspaceId;
}

/** The attributes of every item: ids in lower case, as another letter case would plan a replacement. */
export function itemConfig({ workspace, displayName, description, folderId, tags }: ItemProps): FabricItemConfig {
  return {
    workspaceId: workspaceIdOf(workspace),
    displayName: literalText(displayName),
    description: optionalText(description),
    folderId: folderId === undefined || folderId === null ? undefined : normalizedId(folderId),
    tags: tags?.map(normalizedId),
  };
}

/** The label of an item, as castellan's resources take it. */
export function labelConfig({ sensitivityLabelSettings: settings }: ItemProps): CastellanItemConfig['sensitivityLabel'] {
  if (settings === undefined) return undefined;
  return { labelId: normalizedId(settings.labelId), applyStrategy: settings.sensitivityLabelApplyStrategy };
}
