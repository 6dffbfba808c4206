import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { type Api, type ResourceHandler } from '../handler.js';
import { requiredText } from '../read-values.js';
import { administrativeUnitId, objectIdIn, parseImport, refuseExisting } from './ids.js';

/** Options of a resource that links one object to another; both are managed elsewhere. */
interface LinkKind {
  readonly typeName: string;
  readonly links: (directory: Api['directory']) => {
    has(id: string, linked: string, call: { readonly signal: AbortSignal }): Promise<boolean>;
    add(id: string, linked: string, call: { readonly signal: AbortSignal }): Promise<void>;
    remove(id: string, linked: string, call: { readonly signal: AbortSignal }): Promise<void>;
  };
  /** The attributes with the two ids. */
  readonly attributes: readonly [object: string, linked: string];
  /** The form of the id in states and imports: `{objectId}/member/{linkedId}`. */
  readonly idFormat: string;
  /** Converts the object id to the attribute's value. @default unchanged */
  readonly idOf?: (objectId: string) => string;
  /** The service itself refuses an existing link. */
  readonly refusedByService?: true;
}

function linkHandler({
  typeName,
  links,
  attributes: [object, linked],
  idFormat,
  idOf: idOf = (id) => id,
  refusedByService,
}: LinkKind): ResourceHandler {
  const readIds = (
    state: Parameters<typeof requiredText>[0],
  ): readonly [string, string, string] => {
    const [one, other] = [objectIdIn(requiredText(state, object)), requiredText(state, linked)];
    return [one, other, idFormat.replace('{objectId}', one).replace('{linkedId}', other)];
  };
  return {
    async create({ api, planned, signal }) {
      const [one, other, id] = readIds(planned);
      const { has, add } = links(api.directory);
      if (refusedByService !== true)
        refuseExisting(await has(one, other, { signal }), id, typeName);
      await add(one, other, { signal });
      return { id };
    },
    async read({ api, state, signal }) {
      const [one, other, id] = readIds(state);
      return (await undefinedIfNotFound(links(api.directory).has(one, other, { signal }))) === true
        ? { id }
        : undefined;
    },
    async delete({ api, state, signal }) {
      const [one, other] = readIds(state);
      await undefinedIfNotFound(links(api.directory).remove(one, other, { signal }));
    },
    import(id) {
      const { objectId = '', linkedId = '' } = parseImport(idFormat, id);
      return { id, [object]: idOf(objectId), [linked]: linkedId };
    },
  };
}

/** The resource azuread_group_member: one member of a group managed elsewhere. */
export const groupMember = linkHandler({
  typeName: 'azuread_group_member',
  links: ({ groups }) => groups.members,
  attributes: ['group_object_id', 'member_object_id'],
  idFormat: '{objectId}/member/{linkedId}',
});

/** The resource azuread_application_owner: one owner of an application. */
export const applicationOwner = linkHandler({
  typeName: 'azuread_application_owner',
  links: ({ applications }) => applications.owners,
  attributes: ['application_id', 'owner_object_id'],
  idFormat: '/applications/{objectId}/owners/{linkedId}',
  idOf: (id) => `/applications/${id}`,
});

/** The resource azuread_administrative_unit_member: one member of a unit managed elsewhere. */
export const administrativeUnitMember = linkHandler({
  typeName: 'azuread_administrative_unit_member',
  links: ({ administrativeUnits }) => administrativeUnits.members,
  attributes: ['administrative_unit_object_id', 'member_object_id'],
  idFormat: `${administrativeUnitId('{objectId}')}/members/{linkedId}`,
  refusedByService: true,
});
