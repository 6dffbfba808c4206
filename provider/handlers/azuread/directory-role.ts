import type { DirectoryRole } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import { ProviderFailure, type ResourceHandler } from '../handler.js';
import { optionalText, textOrEmpty } from '../read-values.js';
import { parseImport } from './ids.js';

/**
 * The resource azuread_directory_role: an activated role. Destroying it does nothing, since a role
 * stays activated.
 */
export const directoryRole: ResourceHandler = {
  async create({ api, planned, signal }) {
    const { directoryRoles } = api.directory;
    const [templateId, name] = [
      optionalText(planned, 'template_id'),
      optionalText(planned, 'display_name'),
    ];
    for await (const template of directoryRoles.templates.list({ signal })) {
      if (
        templateId === undefined
          ? template.displayName.toLowerCase() !== name?.toLowerCase()
          : template.id.toLowerCase() !== templateId.toLowerCase()
      )
        continue;
      return toState(await directoryRoles.activate(template.id, { signal }));
    }
    throw new ProviderFailure(
      `No directory role template found with ${templateId === undefined ? `display name "${name ?? ''}"` : `ID "${templateId}"`}`,
    );
  },
  async read({ api, state, signal }) {
    const role = await api.directory.directoryRoles.find(textOrEmpty(state, 'object_id'), {
      signal,
    });
    return role === undefined ? undefined : toState(role);
  },
  delete: () => Promise.resolve(),
  import: (id) => ({ id, object_id: parseImport('/directoryRoles/{roleId}', id)['roleId'] ?? '' }),
};

function toState({ id, displayName, description, roleTemplateId }: DirectoryRole): ActualValues {
  return {
    id: `/directoryRoles/${id}`,
    object_id: id,
    display_name: displayName,
    description: description ?? '',
    template_id: roleTemplateId ?? '',
  };
}
