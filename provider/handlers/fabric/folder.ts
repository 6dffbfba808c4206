import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { Folder } from '../../../clients/items/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ResourceHandler } from '../handler.js';
import { differsIn, optionalText, textOrEmpty } from '../read-values.js';
import { importItem, warnIfNotFound } from './item.js';

/** The resource fabric_folder. A preview of the official provider: it requires `preview = true`. */
export const folder: ResourceHandler = {
  async create({ api, planned, signal }) {
    const parent = omitUndefined({ parentFolderId: optionalText(planned, 'parent_folder_id') });
    return toState(
      await api.items.folders.create(
        textOrEmpty(planned, 'workspace_id'),
        { displayName: textOrEmpty(planned, 'display_name'), ...parent },
        { signal },
      ),
    );
  },
  /** Names are unique in the folder or workspace around it. */
  async findExisting({ api, planned, signal }) {
    const parent = omitUndefined({ rootFolderId: optionalText(planned, 'parent_folder_id') });
    const workspaceId = textOrEmpty(planned, 'workspace_id');
    const options = { ...parent, recursive: false, signal };
    for await (const { id, displayName } of api.items.folders.list(workspaceId, options))
      if (displayName === textOrEmpty(planned, 'display_name')) return { id };
    return undefined;
  },
  async read({ state, ...context }) {
    const request = context.api.items.folders.get(
      textOrEmpty(state, 'workspace_id'),
      textOrEmpty(state, 'id'),
      { signal: context.signal },
    );
    const folder = await warnIfNotFound(request, context);
    return folder === undefined ? undefined : toState(folder);
  },
  async update({ api, prior, planned, signal }) {
    const [workspaceId, id] = [textOrEmpty(prior, 'workspace_id'), textOrEmpty(prior, 'id')];
    const { folders } = api.items;
    if (differsIn(prior, planned, 'display_name'))
      await folders.rename(workspaceId, id, textOrEmpty(planned, 'display_name'), { signal });
    if (differsIn(prior, planned, 'parent_folder_id'))
      await folders.move(workspaceId, id, optionalText(planned, 'parent_folder_id'), { signal });
    return toState(await folders.get(workspaceId, id, { signal }));
  },
  async delete({ api, state, signal }) {
    await undefinedIfNotFound(
      api.items.folders.delete(textOrEmpty(state, 'workspace_id'), textOrEmpty(state, 'id'), {
        signal,
      }),
    );
  },
  import: importItem,
  plan: ({ change, providerConfig }) => {
    const hasPreview =
      providerConfig['preview'] === true || process.env['FABRIC_PREVIEW'] === 'true';
    if (hasPreview)
      change.warn(
        'Preview mode enabled',
        'fabric_folder is a preview of the official provider: it may change without notice.',
      );
    else
      change.error(
        'Preview mode not enabled',
        'fabric_folder is a preview of the official provider. Set `preview = true` in the provider block, or FABRIC_PREVIEW=true.',
      );
  },
};

function toState(folder: Folder): ActualValues {
  return {
    id: folder.id,
    workspace_id: folder.workspaceId,
    display_name: folder.displayName,
    parent_folder_id: folder.parentFolderId ?? null,
  };
}
