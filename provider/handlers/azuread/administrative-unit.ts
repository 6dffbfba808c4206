import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { AdministrativeUnit, DirectoryRole } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { differs, isTrue, requiredText, text, texts } from '../read-values.js';
import { administrativeUnitId, parseImport } from './ids.js';
import { idsOf, replaceLinks } from './listing.js';
import { objectHandler, refuseDuplicate } from './object.js';

/** The resource azuread_administrative_unit. */
export const administrativeUnit = objectHandler<AdministrativeUnit>(
  {
    collection: 'directory/administrativeUnits',
    objects: ({ administrativeUnits }) => administrativeUnits,
    toState,
  },
  {
    async create({ planned, ...context }) {
      const { api, signal } = context;
      const { administrativeUnits } = api.directory;
      await refuseDuplicate('administrative unit', planned, (query) =>
        administrativeUnits.list({ ...query, signal }),
      );
      const description = text(planned, 'description');
      const unit = await administrativeUnits.create(
        {
          displayName: requiredText(planned, 'display_name'),
          visibility: visibility(isTrue(planned, 'hidden_membership_enabled')),
          ...omitUndefined({ description }),
        },
        { signal },
      );
      context.created({ id: administrativeUnitId(unit.id), object_id: unit.id });
      for (const member of texts(planned, 'members'))
        await administrativeUnits.members.add(unit.id, member, { signal });
      return toState(unit, context);
    },
    async update({ prior, planned, ...context }) {
      const { api, signal } = context;
      const { administrativeUnits } = api.directory;
      const id = requiredText(prior, 'object_id');
      if (differs(prior, planned, 'display_name', 'description', 'hidden_membership_enabled'))
        await administrativeUnits.update(
          id,
          {
            displayName: requiredText(planned, 'display_name'),
            description: text(planned, 'description') ?? '',
            visibility: visibility(isTrue(planned, 'hidden_membership_enabled')),
          },
          { signal },
        );
      if (differs(prior, planned, 'members'))
        await replaceLinks(administrativeUnits.members, id, texts(planned, 'members'), signal);
      return toState(await administrativeUnits.get(id, { signal }), context);
    },
  },
);

function visibility(isHidden: boolean): string {
  return isHidden ? 'HiddenMembership' : 'Public';
}

async function toState(unit: AdministrativeUnit, { api, signal }: Context): Promise<ActualValues> {
  return {
    id: administrativeUnitId(unit.id),
    object_id: unit.id,
    display_name: unit.displayName,
    description: unit.description ?? '',
    hidden_membership_enabled: unit.visibility?.toLowerCase() === 'hiddenmembership',
    members: await idsOf(api.directory.administrativeUnits.members.list(unit.id, { signal })),
  };
}

/**
 * The resource azuread_directory_role: an activated role. Destroying it does nothing, since a role
 * stays activated.
 */
export const directoryRole: ResourceHandler = {
  async create({ api, planned, signal }) {
    const { directoryRoles } = api.directory;
    const [templateId, name] = [text(planned, 'template_id'), text(planned, 'display_name')];
    for await (const template of directoryRoles.templates.list({ signal })) {
      if (
        templateId === undefined
          ? template.displayName.toLowerCase() !== name?.toLowerCase()
          : template.id.toLowerCase() !== templateId.toLowerCase()
      )
        continue;
      return roleState(await directoryRoles.activate(template.id, { signal }));
    }
    throw new ProviderFailure(
      `No directory role template found with ${templateId === undefined ? `display name "${name ?? ''}"` : `ID "${templateId}"`}`,
    );
  },
  async read({ api, state, signal }) {
    const role = await api.directory.directoryRoles.find(requiredText(state, 'object_id'), {
      signal,
    });
    return role === undefined ? undefined : roleState(role);
  },
  delete: () => Promise.resolve(),
  import: (id) => ({ id, object_id: parseImport('/directoryRoles/{roleId}', id)['roleId'] ?? '' }),
};

function roleState({ id, displayName, description, roleTemplateId }: DirectoryRole): ActualValues {
  return {
    id: `/directoryRoles/${id}`,
    object_id: id,
    display_name: displayName,
    description: description ?? '',
    template_id: roleTemplateId ?? '',
  };
}
