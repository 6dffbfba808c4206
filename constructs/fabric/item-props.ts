import { CastellanError } from '../../core/errors/castellan-error.js';
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

/** One part of a public definition, as the interface takes it. */
export interface DefinitionPart {
  readonly path: string;
  /** The content, in base64. */
  readonly payload: string;
  readonly payloadType?: 'InlineBase64';
}

/**
 * The document in a part's payload.
 *
 * @throws CAS2006 where the payload holds no JSON.
 */
export function documentOf({ path, payload }: DefinitionPart, owner: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as unknown;
  } catch (cause) {
    throw new CastellanError('CAS2006', `${owner}: the part ${path} holds no JSON document`, { cause });
  }
}
