import {
  type AuthenticationMethod,
  type DirectoryClient,
  type DirectoryObject,
  type Group,
  quote,
} from '../../../clients/directory/index.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isGuid } from '../../../core/values/guid.js';
import type { Column } from '../../table.js';

/** The columns of a list of groups. */
export const groupColumns: readonly Column<Group>[] = [
  { title: 'NAME', cell: (group) => group.displayName },
  { title: 'KIND', cell: groupKindOf, rank: 1 },
  {
    title: 'MEMBERSHIP',
    cell: (group) =>
      group.groupTypes.includes('DynamicMembership')
        ? `by rule, ${group.membershipRuleProcessingState ?? 'On'}`
        : 'assigned',
    rank: 4,
  },
  { title: 'VISIBILITY', cell: (group) => group.visibility, rank: 5 },
  { title: 'NICKNAME', cell: (group) => group.mailNickname, width: 30, rank: 3 },
  { title: 'ID', cell: (group) => group.id, rank: 2 },
];

/** The columns of a list of members or owners. */
export const objectColumns: readonly Column<DirectoryObject>[] = [
  { title: 'NAME', cell: (object) => object.displayName },
  { title: 'TYPE', cell: typeOf, rank: 1 },
  { title: 'ID', cell: (object) => object.id, rank: 2 },
];

/** The columns of a list of deleted groups. */
export const deletedColumns: readonly Column<Group>[] = [
  { title: 'NAME', cell: (group) => group.displayName },
  { title: 'KIND', cell: groupKindOf, rank: 3 },
  { title: 'DELETED', cell: (group) => group.deletedDateTime, rank: 2 },
  { title: 'ID', cell: (group) => group.id, rank: 1 },
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

/** The type of an entry in a mixed list: `user`, `group`, … */
export function typeOf(object: DirectoryObject): string {
  return (object['@odata.type'] ?? '').replace(/^.*\./, '');
}

/**
 * Finds a group by object id, mail nickname or display name.
 *
 * @throws CAS8201 when there is none, or more than one.
 */
export async function findGroup(directory: DirectoryClient, name: string): Promise<Group> {
  if (isGuid(name)) {
    const group = await directory.groups.find(name);
    if (group) return group;
  } else
    for (const property of ['mailNickname', 'displayName']) {
      const groups: Group[] = [];
      for await (const group of directory.groups.list({ filter: `${property} eq ${quote(name)}` }))
        groups.push(group);
      const [only] = groups;
      if (only && groups.length === 1) return only;
      if (groups.length > 1)
        throw new CastellanError(
          'CAS8201',
          `${groups.length} groups have the ${property} "${name}": name one by its id (${groups.map(({ id }) => id).join(', ')})`,
        );
    }
  throw new CastellanError('CAS8201', `there is no group "${name}"`);
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

/** Fields that distinguish two methods of a kind; the first present one is shown. */
const telling = ['phoneNumber', 'emailAddress', 'displayName', 'model', 'deviceTag', 'platform'];

/** The columns of a list of authentication methods. */
export const methodColumns: readonly Column<AuthenticationMethod>[] = [
  { title: 'METHOD', cell: kindOfMethod },
  { title: 'DETAIL', cell: detailOf },
  {
    title: 'STATE',
    cell: (method) =>
      textOrUndefined(method['smsSignInState']) ?? textOrUndefined(method['methodUsabilityReason']),
    rank: 3,
  },
  {
    title: 'CREATED',
    cell: (method) =>
      textOrUndefined(method['createdDateTime']) ?? textOrUndefined(method['creationDateTime']),
    rank: 2,
  },
  { title: 'ID', cell: (method) => method.id, rank: 1 },
];

/** `phone`, `fido2`, … of `#….phoneAuthenticationMethod`. */
export function kindOfMethod(method: AuthenticationMethod): string {
  return method['@odata.type'].replace(/^.*\./, '').replace(/AuthenticationMethod$/, '');
}

function detailOf(method: AuthenticationMethod): string {
  const detail = telling
    .map((name) => textOrUndefined(method[name]))
    .find((text) => text !== undefined);
  const kind =
    textOrUndefined(method['phoneType']) ?? textOrUndefined(method['authenticationPhoneType']);
  return [kind, detail].filter((text) => text !== undefined).join(' ');
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
