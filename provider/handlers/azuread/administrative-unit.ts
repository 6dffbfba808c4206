import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { AdministrativeUnit } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { Context } from '../handler.js';
import { differsIn, isTrue, textOrEmpty, optionalText, textList } from '../read-values.js';
import { administrativeUnitId } from './ids.js';
import { collectIds, replaceLinks } from './listing.js';
import { objectHandler, refuseDuplicate } from './directory-object.js';

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
      const description = optionalText(planned, 'description');
      const unit = await administrativeUnits.create(
        {
          displayName: textOrEmpty(planned, 'display_name'),
          visibility: visibility(isTrue(planned, 'hidden_membership_enabled')),
          ...omitUndefined({ description }),
        },
        { signal },
      );
      context.reportCreated({ id: administrativeUnitId(unit.id), object_id: unit.id });
      for (const member of textList(planned, 'members'))
        await administrativeUnits.members.add(unit.id, member, { signal });
      return toState(unit, context);
    },
    async update({ prior, planned, ...context }) {
      const { api, signal } = context;
      const { administrativeUnits } = api.directory;
      const id = textOrEmpty(prior, 'object_id');
      if (differsIn(prior, planned, 'display_name', 'description', 'hidden_membership_enabled'))
        await administrativeUnits.update(
          id,
          {
            displayName: textOrEmpty(planned, 'display_name'),
            description: optionalText(planned, 'description') ?? '',
            visibility: visibility(isTrue(planned, 'hidden_membership_enabled')),
          },
          { signal },
        );
      if (differsIn(prior, planned, 'members'))
        await replaceLinks(administrativeUnits.members, id, textList(planned, 'members'), signal);
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
    members: await collectIds(api.directory.administrativeUnits.members.list(unit.id, { signal })),
  };
}
