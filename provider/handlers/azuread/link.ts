import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import type { Api, Context, ResourceHandler } from '../handler.js';
import { textOrEmpty } from '../read-values.js';
import { administrativeUnitId, objectIdIn, parseImport, refuseExisting } from './ids.js';

/** Options of a resource that links one object to another; both are managed elsewhere. */
interface LinkKind {
  /** The resource type in Terraform: `azuread_group_member`. */
  readonly typeName: string;
  /** The links of this kind: `groups.members`. Their `id` is that of the object that has them. */
  readonly links: (directory: Api['directory']) => {
    has(id: string, linkedId: string, call: { readonly signal: AbortSignal }): Promise<boolean>;
    add(id: string, linkedId: string, call: { readonly signal: AbortSignal }): Promise<void>;
    remove(id: string, linkedId: string, call: { readonly signal: AbortSignal }): Promise<void>;
  };
  /** The attributes with the two ids. */
  readonly attributes: readonly [object: string, linked: string];
  /** The form of the id in states and imports: `{objectId}/member/{linkedId}`. */
  readonly idFormat: string;
  /** Converts the object id to the attribute's value. @default unchanged */
  readonly toAttributeValue?: (objectId: string) => string;
  /** Whether the service itself refuses to create a link that exists. */
  readonly isRefusedByService?: true;
}

function linkHandler({
  typeName,
  links,
  attributes: [objectAttribute, linkedAttribute],
  idFormat,
  toAttributeValue = (id) => id,
  isRefusedByService,
}: LinkKind): ResourceHandler {
  const readIds = (state: ValueMap): readonly [objectId: string, linkedId: string, id: string] => {
    const objectId = objectIdIn(textOrEmpty(state, objectAttribute));
    const linkedId = textOrEmpty(state, linkedAttribute);
    return [
      objectId,
      linkedId,
      idFormat.replace('{objectId}', objectId).replace('{linkedId}', linkedId),
    ];
  };
  const findLink = async (
    values: ValueMap,
    { api, signal }: Context,
  ): Promise<ActualValues | undefined> => {
    const [objectId, linkedId, id] = readIds(values);
    const isLinked = await undefinedIfNotFound(
      links(api.directory).has(objectId, linkedId, { signal }),
    );
    return isLinked === true ? { id } : undefined;
  };
  return {
    async create({ api, planned, signal }) {
      const [objectId, linkedId, id] = readIds(planned);
      const { has, add } = links(api.directory);
      if (isRefusedByService !== true)
        refuseExisting(await has(objectId, linkedId, { signal }), id, typeName);
      await add(objectId, linkedId, { signal });
      return { id };
    },
    findExisting: ({ planned, ...context }) => findLink(planned, context),
    read: ({ state, ...context }) => findLink(state, context),
    async delete({ api, state, signal }) {
      const [objectId, linkedId] = readIds(state);
      await undefinedIfNotFound(links(api.directory).remove(objectId, linkedId, { signal }));
    },
    import(id) {
      const { objectId = '', linkedId = '' } = parseImport(idFormat, id);
      return { id, [objectAttribute]: toAttributeValue(objectId), [linkedAttribute]: linkedId };
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
  toAttributeValue: (id) => `/applications/${id}`,
});

/** The resource azuread_administrative_unit_member: one member of a unit managed elsewhere. */
export const administrativeUnitMember = linkHandler({
  typeName: 'azuread_administrative_unit_member',
  links: ({ administrativeUnits }) => administrativeUnits.members,
  attributes: ['administrative_unit_object_id', 'member_object_id'],
  idFormat: `${administrativeUnitId('{objectId}')}/members/{linkedId}`,
  isRefusedByService: true,
});
