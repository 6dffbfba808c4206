import {
  type DirectoryClient,
  type DirectoryObject,
  type Group,
  type ListOptions,
} from '../../../clients/directory/index.js';
import type { Column } from '../../table.js';

/** The columns of a list of groups. */
export const groupColumns: readonly Column<Group>[] = [
  { title: 'NAME', cell: (group) => group.displayName },
  { title: 'KIND', cell: groupKindOf, omissionOrder: 5 },
  {
    title: 'MEMBERSHIP',
    cell: (group) =>
      group.groupTypes.includes('DynamicMembership')
        ? `by rule, ${group.membershipRuleProcessingState ?? 'On'}`
        : 'assigned',
    omissionOrder: 2,
  },
  { title: 'VISIBILITY', cell: (group) => group.visibility, omissionOrder: 1 },
  { title: 'NICKNAME', cell: (group) => group.mailNickname, maxWidth: 30, omissionOrder: 3 },
  { title: 'ID', cell: (group) => group.id, omissionOrder: 4 },
];

/** The columns of a list of members or owners. */
export const objectColumns: readonly Column<DirectoryObject>[] = [
  { title: 'NAME', cell: (object) => object.displayName },
  { title: 'TYPE', cell: objectTypeOf, omissionOrder: 2 },
  { title: 'ID', cell: (object) => object.id, omissionOrder: 1 },
];

/** The columns of a list of deleted groups. */
export const deletedGroupColumns: readonly Column<Group>[] = [
  { title: 'NAME', cell: (group) => group.displayName },
  { title: 'KIND', cell: groupKindOf, omissionOrder: 1 },
  { title: 'DELETED', cell: (group) => group.deletedDateTime, omissionOrder: 2 },
  { title: 'ID', cell: (group) => group.id, omissionOrder: 3 },
];

/**
 * `unified`, `security`, `mail-enabled security` or `distribution` (Directory rules, "What the
 * service does", 4).
 */
export function groupKindOf(
  group: Pick<Group, 'groupTypes' | 'mailEnabled' | 'securityEnabled'>,
): string {
  if (group.groupTypes.includes('Unified')) return 'unified';
  if (!group.mailEnabled) return 'security';
  return group.securityEnabled ? 'mail-enabled security' : 'distribution';
}

/** A clause of `$search`: words that a property has. */
export function searchClause(property: string, words: string): string {
  return `"${property}:${words.replace(/["\\]/g, '\\$&')}"`;
}

/** The type of an entry in a mixed list: `user`, `group`, … */
export function objectTypeOf(object: DirectoryObject): string {
  return (object['@odata.type'] ?? '').replace(/^.*\./, '');
}

/** A group with its owners and the number of its members, for `groups show`. */
export async function describeGroup(directory: DirectoryClient, group: Group): Promise<string> {
  const owners: DirectoryObject[] = [];
  for await (const owner of directory.groups.owners.list(group.id)) owners.push(owner);
  let members = 0;
  for await (const _member of directory.groups.members.list(group.id, { select: ['id'] }))
    members += 1;
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    ['name', group.displayName],
    ['id', group.id],
    ['kind', groupKindOf(group)],
    ['nickname', group.mailNickname],
    ['description', group.description],
    ['mail', group.mail],
    ['visibility', group.visibility],
    ['classification', group.classification],
    ['rule', group.membershipRule],
    ['processing', group.membershipRule ? group.membershipRuleProcessingState : undefined],
    ['created', group.createdDateTime],
    ['expires', group.expirationDateTime],
    [
      'owners',
      owners.length === 0
        ? 'none'
        : owners.map((owner) => owner.displayName ?? owner.id).join(', '),
    ],
    ['members', String(members)],
  ];
  return lines
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(
      ([title, value]) =>
        `${title.padEnd(15)}${(value ?? '').replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')}\n`,
    )
    .join('');
}

/**
 * The options of a request for the groups that a filter matches. Filters with `ne`, `not`,
 * `endsWith`, `null` or `/$count` need an advanced query; other filters may be sent as one, too.
 */
export function filterOptions(
  filter: string | undefined,
): Pick<ListOptions, 'filter' | 'advanced'> {
  if (filter === undefined) return {};
  return { filter, advanced: /\bne\b|\bnot\b|endswith|\$count|null/i.test(filter) };
}
