import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { isGuid } from '../../../core/values/guid.js';
import { group } from '../../../kinds/group/group.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import type { Group, GroupDraft } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { idsOf } from '../azuread/listing.js';
import { outsideStoreAttributes } from '../azuread/group-properties.js';
import { expand, flatten } from '../described-values.js';
import {
  blocks,
  differs,
  booleanIfSet,
  valueIfSet,
  listChange,
  requiredText,
  objects,
  text,
  texts,
} from '../read-values.js';

const type = 'castellan_group_properties';
/** Properties stored with the mailbox: each by its own request, for users only. */
const mailbox = outsideStoreAttributes(type);
const senderLists = {
  accepted_senders: 'acceptedSenders',
  rejected_senders: 'rejectedSenders',
} as const;
const select = [
  'id',
  'groupTypes',
  'assignedLicenses',
  ...Object.keys(group.inApi).filter(isDirectoryProperty),
];

/**
 * Whether a property is one of the group in the directory, whose properties are changed together.
 */
function isDirectoryProperty(name: string): boolean {
  const { terraform, outsideStore } = metadataOf(group.inApi[name] ?? {});
  return outsideStore !== true && typeof terraform === 'object' && type in terraform;
}

/** The resource castellan_group_properties. */
export const groupProperties: ResourceHandler = {
  async create({ planned, config, ...context }) {
    const id = requiredText(planned, 'group_object_id');
    await write(id, undefined, pickConfigured(planned, config), context);
    return (await read(id, context, pickConfigured(planned, config))) ?? throwDeleted(id);
  },
  read: ({ state, ...context }) => read(requiredText(state, 'group_object_id'), context, state),
  async update({ prior, planned, config, ...context }) {
    const id = requiredText(prior, 'group_object_id');
    await write(id, prior, pickConfigured(planned, config), context);
    return (await read(id, context, pickConfigured(planned, config))) ?? throwDeleted(id);
  },
  /** The group stays; its properties are not reset, since others may rely on them. */
  delete: () => Promise.resolve(),
  import: (id) => {
    if (!isGuid(id))
      throw new ProviderFailure(
        'Invalid import identifier',
        `Expected the object id of a group, got: ${id}`,
      );
    return { id, group_object_id: id };
  },
};

function throwDeleted(id: string): never {
  throw new ProviderFailure('Group not found', `The group ${id} was deleted meanwhile.`, [
    'group_object_id',
  ]);
}

/** Properties that are not configured are not changed. */
function pickConfigured(planned: ValueMap, config: ValueMap): ValueMap {
  return Object.fromEntries(
    Object.entries(planned).filter(([name]) => (config[name] ?? null) !== null),
  );
}

async function write(
  id: string,
  prior: ValueMap | undefined,
  target: ValueMap,
  context: Context,
): Promise<void> {
  const { api, signal } = context;
  const { groups } = api.directory;
  const changed = (name: string): boolean =>
    name in target && (prior === undefined || differs(prior, target, name));
  const changes = expand(
    group,
    type,
    Object.fromEntries(Object.entries(target).filter(([name]) => changed(name))),
  ) as Partial<GroupDraft>;
  if (Object.keys(changes).length > 0) await groups.update(id, changes, { signal });
  for (const [name, property] of Object.entries(mailbox))
    if (changed(name)) await groups.update(id, { [property]: target[name] ?? null }, { signal });
  for (const [name, list] of Object.entries(senderLists)) {
    if (!changed(name)) continue;
    const { add, remove } = listChange(
      await idsOf(groups[list].list(id, { signal })),
      texts(target, name),
    );
    for (const sender of add) await groups[list].add(id, sender, { signal });
    for (const sender of remove) await groups[list].remove(id, sender, { signal });
  }
  if (changed('assigned_licenses')) await changeLicenses(id, target, context);
}

async function changeLicenses(
  id: string,
  target: ValueMap,
  { api, signal }: Context,
): Promise<void> {
  const { groups } = api.directory;
  const current =
    (await groups.get(id, { select: ['id', 'assignedLicenses'], signal })).assignedLicenses ?? [];
  const licenses = blocks(target, 'assigned_licenses').map((each) => ({
    skuId: requiredText(each, 'sku_id'),
    disabledPlans: texts(each, 'disabled_plans'),
  }));
  const skuIds = new Set(licenses.map(({ skuId }) => skuId.toLowerCase()));
  const remove = current
    .map(({ skuId }) => skuId)
    .filter((skuId) => !skuIds.has(skuId.toLowerCase()));
  // a group that cannot have licences is refused even without any
  if (licenses.length === 0 && remove.length === 0) return;
  await groups.assignLicense(id, { add: licenses, remove }, { signal });
}

async function read(
  id: string,
  { api, signal }: Context,
  state: ValueMap,
): Promise<ActualValues | undefined> {
  const { groups } = api.directory;
  const current: Group | undefined = await groups.find(id, { select, signal });
  if (current === undefined) return undefined;
  const isUnified = current.groupTypes.includes('Unified');
  const wantsMailbox =
    isUnified &&
    Object.keys(mailbox).some(
      (name) => booleanIfSet(state, name) !== undefined || text(state, name) !== undefined,
    );
  const mailboxGroup = wantsMailbox
    ? await undefinedIfNotFound(groups.get(id, { select: Object.values(mailbox), signal }))
    : undefined;
  const senders = isUnified
    ? Object.fromEntries(
        await Promise.all(
          Object.entries(senderLists).map(
            async ([name, list]) => [name, await idsOf(groups[list].list(id, { signal }))] as const,
          ),
        ),
      )
    : { accepted_senders: [], rejected_senders: [] };
  return {
    id,
    group_object_id: id,
    ...flatten(group, type, current),
    ...senders,
    assigned_licenses: objects(current, 'assignedLicenses').map((each) => ({
      sku_id: valueIfSet(each, 'skuId'),
      disabled_plans: valueIfSet(each, 'disabledPlans') ?? [],
    })),
    ...Object.fromEntries(
      Object.entries(mailbox).map(([name, property]) => [
        name,
        mailboxGroup === undefined ? (state[name] ?? null) : valueIfSet(mailboxGroup, property),
      ]),
    ),
  };
}
