import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { type Group, quote } from '../../../clients/directory/index.js';
import { isUnknown, type ValueMap } from '../../values/value.js';
import type { Context, CreateCall, FindCall, ResourceHandler, UpdateCall } from '../handler.js';
import {
  differsIn,
  isTrue,
  propertyAsValue,
  listDifference,
  textOrEmpty,
  textList,
  blocks,
  optionalText,
} from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { flattenGroup, groupChanges, groupDraft, mailboxProperties } from './group-properties.js';
import { collectAll, collectIds, maxOwnersInCreation, replaceLinks } from './listing.js';
import type { PlannedChange } from '../../planner/plan.js';
import { isCreatedSince } from '../finders.js';
import { findBestMatch, objectHandler, refuseDuplicate } from './directory-object.js';

/** The resource azuread_group. */
export const group: ResourceHandler = groupHandler({ managesMembers: true });
/** The resource azuread_group_without_members, whose members are managed elsewhere. */
export const groupWithoutMembers: ResourceHandler = groupHandler({ managesMembers: false });

function groupHandler({ managesMembers }: { readonly managesMembers: boolean }): ResourceHandler {
  return objectHandler<Group>(
    {
      collection: 'groups',
      objects: ({ groups }) => groups,
      toState: (group, context) => toState(group, context, managesMembers),
    },
    {
      create: (call) => createGroup(call, managesMembers),
      update: (call) => updateGroup(call, managesMembers),
      plan: ({ change }) => planGroup(change),
      findExisting: (call) => findGroup(call, managesMembers),
    },
  );
}

async function createGroup(call: CreateCall, managesMembers: boolean): Promise<ActualValues> {
  const { api, planned, config, signal } = call;
  const { groups, administrativeUnits } = api.directory;
  await refuseDuplicate('group', planned, (query) => groups.list({ ...query, signal }));
  const owners = await ownersToBind(config, planned, call);
  const draft = groupDraft(planned);
  const ownerReferences = owners
    .slice(0, maxOwnersInCreation)
    .map((id) => api.directory.reference(id));
  const answer = await groups.create(
    ownerReferences.length === 0 ? draft : { ...draft, 'owners@odata.bind': ownerReferences },
    { signal },
  );
  call.reportCreated(flattenGroup(answer));
  for (const owner of owners.slice(maxOwnersInCreation))
    await groups.owners.add(answer.id, owner, { signal });
  await updateMailboxSettings(answer.id, undefined, planned, call);
  for (const unit of textList(planned, 'administrative_unit_ids'))
    await administrativeUnits.members.add(unit, answer.id, { signal });
  if (managesMembers)
    for (const member of textList(planned, 'members'))
      await groups.members.add(answer.id, member, { signal });
  return toState(
    await groups.get(answer.id, { signal }),
    call,
    managesMembers,
    plannedLinkedIds(planned),
  );
}

/**
 * The links of a new group that are known without a request: its planned owners and members, if any,
 * and its administrative units, which are exactly the planned ones.
 */
function plannedLinkedIds(planned: ValueMap): LinkedIds {
  const plannedIds = (name: string): string[] | undefined =>
    textList(planned, name).length === 0 ? undefined : textList(planned, name);
  return {
    owners: plannedIds('owners'),
    members: plannedIds('members'),
    units: textList(planned, 'administrative_unit_ids'),
  };
}

/** The ids of the objects linked to a group. */
interface LinkedIds {
  /** @default read from the directory */
  readonly owners?: readonly string[] | undefined;
  /** @default read from the directory, if the resource manages them */
  readonly members?: readonly string[] | undefined;
  /** The administrative units that the group is in. @default read from the directory */
  readonly units?: readonly string[];
}

/** The configured owners, otherwise the caller, as the official provider binds it. */
async function ownersToBind(
  config: ValueMap,
  planned: ValueMap,
  { api }: Context,
): Promise<string[]> {
  const owners = textList(planned, 'owners');
  if (owners.length > 0 || isUnknown(config['owners'])) return owners;
  const caller = await api.identity.objectId();
  return caller === '' ? [] : [caller];
}

function findGroup(call: FindCall, managesMembers: boolean): Promise<ActualValues | undefined> {
  const { api, planned, createdSince, signal } = call;
  const filter = `displayName eq ${quote(textOrEmpty(planned, 'display_name'))}`;
  const nickname = optionalText(planned, 'mail_nickname');
  return findBestMatch('groups', api.directory.groups.list({ filter, signal }), call, {
    matches: ({ mailNickname, createdDateTime }: Group): boolean =>
      (nickname === undefined || mailNickname === nickname) &&
      isCreatedSince(createdSince, createdDateTime),
    toState: (each) => toState(each, call, managesMembers),
  });
}

async function updateGroup(call: UpdateCall, managesMembers: boolean): Promise<ActualValues> {
  const { api, prior, planned, signal } = call;
  const { groups, administrativeUnits } = api.directory;
  const id = textOrEmpty(prior, 'object_id');
  const changes = groupChanges(prior, planned);
  if (Object.keys(changes).length > 0) await groups.update(id, changes, { signal });
  await updateMailboxSettings(id, prior, planned, call);
  if (managesMembers && differsIn(prior, planned, 'members'))
    await replaceLinks(groups.members, id, textList(planned, 'members'), signal);
  const owners = textList(planned, 'owners');
  if (differsIn(prior, planned, 'owners') && owners.length > 0)
    await replaceLinks(groups.owners, id, owners, signal);
  const units = listDifference(
    textList(prior, 'administrative_unit_ids'),
    textList(planned, 'administrative_unit_ids'),
  );
  for (const unit of units.add) await administrativeUnits.members.add(unit, id, { signal });
  for (const unit of units.remove) await administrativeUnits.members.remove(unit, id, { signal });
  return toState(await groups.get(id, { signal }), call, managesMembers);
}

/** Updates the settings of the mailbox that differ from those before. */
async function updateMailboxSettings(
  id: string,
  prior: ValueMap | undefined,
  planned: ValueMap,
  { api, signal }: Context,
): Promise<void> {
  for (const [attribute, property] of Object.entries(mailboxProperties)) {
    const value = planned[attribute];
    if (typeof value !== 'boolean' || (prior === undefined ? false : prior[attribute] === value))
      continue;
    await api.directory.groups.update(id, { [property]: value }, { signal });
  }
}

async function toState(
  group: Group,
  { api, signal }: Context,
  managesMembers: boolean,
  knownIds: LinkedIds = {},
): Promise<ActualValues> {
  const { groups } = api.directory;
  const isUnified = group.groupTypes.includes('Unified');
  const names = Object.values(mailboxProperties);
  const [mailboxValues, owners, members, units] = await Promise.all([
    isUnified ? undefinedIfNotFound(groups.get(group.id, { select: names, signal })) : undefined,
    knownIds.owners ?? collectIds(groups.owners.list(group.id, { signal })),
    knownIds.members ??
      (managesMembers ? collectIds(groups.members.list(group.id, { signal })) : []),
    knownIds.units ?? administrativeUnitIds(groups.memberOf.list(group.id, { signal })),
  ]);
  const mailbox = Object.fromEntries(
    Object.entries(mailboxProperties).map(([attribute, property]) => [
      attribute,
      propertyAsValue(mailboxValues, property) ?? false,
    ]),
  );
  return {
    ...flattenGroup(group),
    ...mailbox,
    owners,
    ...(managesMembers && { members }),
    administrative_unit_ids: units,
  };
}

async function administrativeUnitIds(
  memberOf: AsyncIterable<{ readonly id: string; readonly '@odata.type'?: string }>,
): Promise<string[]> {
  const parents = await collectAll(memberOf);
  return parents
    .filter((each) => each['@odata.type']?.endsWith('.administrativeUnit'))
    .map(({ id }) => id);
}

/** Attributes of unified groups only. */
const unifiedOnlyAttributes = ['behaviors', 'provisioning_options', 'theme'] as const;
/** Flags that only unified groups may have set to true. */
const unifiedOnlyFlags = [
  'auto_subscribe_new_members',
  'external_senders_allowed',
  'hide_from_address_lists',
  'hide_from_outlook_clients',
] as const;

/** The official provider's rules for a group beyond its schema, checked when it plans. */
function planGroup(change: PlannedChange): void {
  const { config, prior, planned } = change;
  for (const [summary, attribute] of configMistakes(config, planned))
    change.error(summary, undefined, attribute);
  const [before, after] = [optionalText(prior, 'visibility'), optionalText(planned, 'visibility')];
  if (before !== undefined && before !== 'Hiddenmembership' && after === 'Hiddenmembership')
    change.requireReplacement('visibility');
}

function* configMistakes(
  config: ValueMap,
  planned: ValueMap,
): Generator<readonly [summary: string, attribute: string]> {
  if (isUnknown(config['types'])) return;
  const types = textList(config, 'types');
  const [isUnified, isDynamic] = [types.includes('Unified'), types.includes('DynamicMembership')];
  const [mail, security] = [isTrue(config, 'mail_enabled'), isTrue(config, 'security_enabled')];
  const isUnknownAttribute = (name: string): boolean => isUnknown(config[name]);
  if (
    isDynamic &&
    blocks(config, 'dynamic_membership').length === 0 &&
    !isUnknownAttribute('dynamic_membership')
  )
    yield [
      '`dynamic_membership` must be specified when `types` contains "DynamicMembership"',
      'types',
    ];
  if (mail && !isUnified) yield ['`types` must contain "Unified" for mail-enabled groups', 'types'];
  if (!mail && isUnified && !isUnknownAttribute('mail_enabled'))
    yield ['`mail_enabled` must be true for unified groups', 'mail_enabled'];
  if (
    mail &&
    optionalText(planned, 'mail_nickname') === undefined &&
    !isUnknownAttribute('mail_nickname')
  )
    yield ['`mail_nickname` is required for mail-enabled groups', 'mail_nickname'];
  if (isTrue(config, 'assignable_to_role') && !security && !isUnknownAttribute('security_enabled'))
    yield [
      '`assignable_to_role` can only be `true` for security-enabled groups',
      'assignable_to_role',
    ];
  if (isUnified) return;
  for (const name of unifiedOnlyFlags)
    if (isTrue(config, name)) yield [`\`${name}\` is only supported for unified groups`, name];
  for (const name of unifiedOnlyAttributes)
    if (textList(config, name).length > 0 || optionalText(config, name) !== undefined)
      yield [`\`${name}\` is only supported for unified groups`, name];
  if (optionalText(config, 'visibility') === 'Hiddenmembership')
    yield ['`visibility` can only be "Hiddenmembership" for unified groups', 'visibility'];
}
