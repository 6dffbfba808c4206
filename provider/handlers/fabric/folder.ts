import { unlessGone } from '../../../clients/common/index.js';
import type { Folder } from '../../../clients/items/index.js';
import type { ResourceHandler } from '../handler.js';
import { defined, differs, mustText, text } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { warnWhenGone } from './failed-read.js';
import { importItem } from './import-id.js';

/** The resource fabric_folder. A preview of the official provider: it wants `preview = true`. */
export const folder: ResourceHandler = {
  async create({ api, planned, signal }) {
    const parent = defined({ parentFolderId: text(planned, 'parent_folder_id') });
    return toState(
      await api.items.folders.create(
        mustText(planned, 'workspace_id'),
        { displayName: mustText(planned, 'display_name'), ...parent },
        { signal },
      ),
    );
  },
  async read({ state, ...context }) {
    const request = context.api.items.folders.get(mustText(state, 'workspace_id'), mustText(state, 'id'), { signal: context.signal });
    const found = await warnWhenGone(request, context);
    return found === undefined ? undefined : toState(found);
  },
  async update({ api, prior, planned, signal }) {
    const [workspaceId, id] = [mustText(prior, 'workspace_id'), mustText(prior, 'id')];
    const { folders } = api.items;
    if (differs(prior, planned, 'display_name')) await folders.rename(workspaceId, id, mustText(planned, 'display_name'), { signal });
    if (differs(prior, planned, 'parent_folder_id')) await folders.move(workspaceId, id, text(planned, 'parent_folder_id'), { signal });
    return toState(await folders.get(workspaceId, id, { signal }));
  },
  async delete({ api, state, signal }) {
    await unlessGone(api.items.folders.delete(mustText(state, 'workspace_id'), mustText(state, 'id'), { signal }));
  },
  import: importItem,
  plan: ({ change, provider }) => {
    const hasPreview = provider['preview'] === true || process.env['FABRIC_PREVIEW'] === 'true';
    if (hasPreview)
      change.warn('Preview mode enabled', 'fabric_folder is a preview of the official provider: it may change without notice.');
    else
      change.error(
        'Preview mode not enabled',
        'fabric_folder is a preview of the official provider. Set `preview = true` in the provider block, or FABRIC_PREVIEW=true.',
      );
  },
};

function toState(found: Folder): Reported {
  return { id: found.id, workspace_id: found.workspaceId, display_name: found.displayName, parent_folder_id: found.parentFolderId ?? null };
}
