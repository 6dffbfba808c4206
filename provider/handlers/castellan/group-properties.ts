import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { isGuid } from '../../../core/values/guid.js';
import { group } from '../../../kinds/group/group.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import type { Group, GroupDraft } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { collectIds } from '../azuread/listing.js';
import { outsideStoreAttributes } from '../azuread/group-properties.js';
import { expandProperties, flattenProperties } from '../described-values.js';
import {
  blocks,
  differsIn,
  optionalBoolean,
  propertyAsValue,
  listDifference,
  textOrEmpty,
  objectListProperty,
  optionalText,
  textList,
} from '../read-values.js';

const typeName = 'castellan_group_properties';
/** Properties stored with the mailbox: each by its own request, for users only. */
const mailboxProperties = outsideStoreAttributes(typeName);
const senderLists = {
  accepted_senders: 'acceptedSenders',
  rejected_senders: 'rejectedSenders',
} as const;
const selectedProperties = [
  'id',
  'groupTypes',
  'assignedLicenses',
  ...Object.keys(group.inApi).filter(isDirectoryProperty),
];

/**
 * Whether a property is stored in the directory, where properties are changed together, and not
 * with the mailbox.
 */
function isDirectoryProperty(name: string): boolean {
  const { terraform, outsideMainStore } = metadataOf(group.inApi[name] ?? {});
  return outsideMainStore !== true && typeof terraform === 'object' && typeName in terraform;
}

/** The resource castellan_group_properties. */
export const groupProperties: ResourceHandler = {
  async create({ planned, config, ...context }) {
    const id = textOrEmpty(planned, 'group_object_id');
    await writeProperties(id, undefined, pickConfigured(planned, config), context);
    return (await readProperties(id, context, pickConfigured(planned, config))) ?? throwDeleted(id);
  },
  read: ({ state, ...context }) =>
    readProperties(textOrEmpty(state, 'group_object_id'), context, state),
  async update({ prior, planned, config, ...context }) {
    const id = textOrEmpty(prior, 'group_object_id');
    await writeProperties(id, prior, pickConfigured(planned, config), context);
    return (await readProperties(id, context, pickConfigured(planned, config))) ?? throwDeleted(id);
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

async function writeProperties(
  id: string,
  prior: ValueMap | undefined,
  target: ValueMap,
  context: Context,
): Promise<void> {
  const { api, signal } = context;
  const { groups } = api.directory;
  const isChanged = (name: string): boolean =>
    name in target && (prior === undefined || differsIn(prior, target, name));
  const changes = expandProperties(
    group,
    typeName,
    Object.fromEntries(Object.entries(target).filter(([name]) => isChanged(name))),
  ) as Partial<GroupDraft>;
  if (Object.keys(changes).length > 0) await groups.update(id, changes, { signal });
  for (const [name, property] of Object.entries(mailboxProperties))
    if (isChanged(name)) await groups.update(id, { [property]: target[name] ?? null }, { signal });
  for (const [name, list] of Object.entries(senderLists)) {
    if (!isChanged(name)) continue;
    const { add, remove } = listDifference(
      await collectIds(groups[list].list(id, { signal })),
      textList(target, name),
    );
    for (const sender of add) await groups[list].add(id, sender, { signal });
    for (const sender of remove) await groups[list].remove(id, sender, { signal });
  }
  if (isChanged('assigned_licenses')) await changeLicenses(id, target, context);
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
    skuId: textOrEmpty(each, 'sku_id'),
    disabledPlans: textList(each, 'disabled_plans'),
  }));
  const skuIds = new Set(licenses.map(({ skuId }) => skuId.toLowerCase()));
  const remove = current
    .map(({ skuId }) => skuId)
    .filter((skuId) => !skuIds.has(skuId.toLowerCase()));
  // a group that cannot have licences is refused even without any
  if (licenses.length === 0 && remove.length === 0) return;
  await groups.assignLicense(id, { add: licenses, remove }, { signal });
}

async function readProperties(
  id: string,
  { api, signal }: Context,
  state: ValueMap,
): Promise<ActualValues | undefined> {
  const { groups } = api.directory;
  const current: Group | undefined = await groups.find(id, { select: selectedProperties, signal });
  if (current === undefined) return undefined;
  const isUnified = current.groupTypes.includes('Unified');
  const readsMailbox =
    isUnified &&
    Object.keys(mailboxProperties).some(
      (name) =>
        optionalBoolean(state, name) !== undefined || optionalText(state, name) !== undefined,
    );
  const mailboxValues = readsMailbox
    ? await undefinedIfNotFound(
        groups.get(id, { select: Object.values(mailboxProperties), signal }),
      )
    : undefined;
  const senders = isUnified
    ? Object.fromEntries(
        await Promise.all(
          Object.entries(senderLists).map(
            async ([name, list]) =>
              [name, await collectIds(groups[list].list(id, { signal }))] as const,
          ),
        ),
      )
    : { accepted_senders: [], rejected_senders: [] };
  return {
    id,
    group_object_id: id,
    ...flattenProperties(group, typeName, current),
    ...senders,
    assigned_licenses: objectListProperty(current, 'assignedLicenses').map((each) => ({
      sku_id: propertyAsValue(each, 'skuId'),
      disabled_plans: propertyAsValue(each, 'disabledPlans') ?? [],
    })),
    ...Object.fromEntries(
      Object.entries(mailboxProperties).map(([name, property]) => [
        name,
        mailboxValues === undefined
          ? (state[name] ?? null)
          : propertyAsValue(mailboxValues, property),
      ]),
    ),
  };
}
