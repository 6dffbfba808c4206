import { undefinedIfNotFound } from '../../../../clients/common/index.js';
import { type Group, quote } from '../../../../clients/directory/index.js';
import type { ValueMap } from '../../../values/value.js';
import { type Context, type DataSourceHandler, ProviderFailure } from '../../handler.js';
import { isTrue, optionalBoolean, propertyAsValue, optionalText } from '../../read-values.js';
import { flattenGroup, mailboxProperties } from '../group-properties.js';
import { collectAll, collectIds } from '../listing.js';
import { equalsFilter, findEach, listId, requireSingle } from './lookups.js';

/** The data source azuread_group. */
export const groupData: DataSourceHandler = async ({ config, ...context }) => {
  const { api, signal } = context;
  const { groups } = api.directory;
  const group = await findGroup(config, context);
  const mailboxValues = group.groupTypes.includes('Unified')
    ? await undefinedIfNotFound(
        groups.get(group.id, { select: Object.values(mailboxProperties), signal }),
      )
    : undefined;
  const members = isTrue(config, 'include_transitive_members')
    ? groups.transitiveMembers
    : groups.members;
  return {
    ...flattenGroup(group),
    ...Object.fromEntries(
      Object.entries(mailboxProperties).map(([attribute, property]) => [
        attribute,
        propertyAsValue(mailboxValues, property) ?? false,
      ]),
    ),
    owners: await collectIds(groups.owners.list(group.id, { signal })),
    members: await collectIds(members.list(group.id, { signal })),
  };
};

async function findGroup(config: ValueMap, { api, signal }: Context): Promise<Group> {
  const { groups } = api.directory;
  const [objectId, displayName, nickname] = [
    optionalText(config, 'object_id'),
    optionalText(config, 'display_name'),
    optionalText(config, 'mail_nickname'),
  ];
  const [mail, security] = [
    optionalBoolean(config, 'mail_enabled'),
    optionalBoolean(config, 'security_enabled'),
  ];
  const matchesFlags = (group: Group): boolean =>
    (mail === undefined || group.mailEnabled === mail) &&
    (security === undefined || group.securityEnabled === security);
  if (objectId !== undefined) {
    const group = await groups.find(objectId, { signal });
    if (group === undefined)
      throw new ProviderFailure(`No group found with object ID: "${objectId}"`);
    if (!matchesFlags(group))
      throw new ProviderFailure(
        `Group with object ID "${objectId}" does not have the specified settings of mail_enabled and security_enabled`,
      );
    return group;
  }
  const filter =
    displayName === undefined
      ? equalsFilter('mailNickname')(nickname ?? '')
      : equalsFilter('displayName')(displayName);
  return requireSingle(
    groups.list({ filter, signal }),
    displayName === undefined
      ? `Group with mail nickname "${nickname ?? ''}"`
      : `Group with display name "${displayName}"`,
    matchesFlags,
  );
}

/** The data source azuread_groups. */
export const groupsData: DataSourceHandler = async ({ config, ...context }) => {
  const groups = await findGroups(config, context);
  return {
    id: listId(
      'groups',
      groups.map(({ id }) => id),
    ),
    object_ids: groups.map(({ id }) => id),
    display_names: groups.map(({ displayName }) => displayName),
    display_name_prefix: optionalText(config, 'display_name_prefix') ?? '',
    mail_enabled: isTrue(config, 'mail_enabled'),
    security_enabled: isTrue(config, 'security_enabled'),
  };
};

async function findGroups(config: ValueMap, { api, signal }: Context): Promise<Group[]> {
  const { groups } = api.directory;
  const flags = [
    ...(isTrue(config, 'mail_enabled') ? ['mailEnabled eq true'] : []),
    ...(isTrue(config, 'security_enabled') ? ['securityEnabled eq true'] : []),
  ];
  const listGroups = (conditions: readonly string[]): Promise<Group[]> => {
    const filter = [...conditions, ...flags].join(' and ');
    return collectAll(groups.list({ signal, ...(filter !== '' && { filter }) }));
  };
  const prefix = optionalText(config, 'display_name_prefix');
  if (isTrue(config, 'return_all')) return listGroups([]);
  if (prefix !== undefined) return listGroups([`startsWith(displayName, ${quote(prefix)})`]);
  return findEach<Group>(config, 'group', {
    object_ids: ['object ID', async (id) => [await groups.find(id, { signal })]],
    display_names: ['display name', (name) => listGroups([equalsFilter('displayName')(name)])],
  });
}
