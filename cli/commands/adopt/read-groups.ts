import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { isServiceError } from '../../../clients/common/index.js';
import type { DirectoryClient, DirectoryObject, Group } from '../../../clients/directory/index.js';
import { groupKindOf } from '../directory/group-output.js';
import type { ExistingGroup } from './adopt-groups.js';

const selected = ['assignedLicenses', 'assignedLabels'];
const mailbox = [
  'allowExternalSenders',
  'autoSubscribeNewMembers',
  'hideFromAddressLists',
  'hideFromOutlookClients',
];

/** Options for reading groups of the directory. */
export interface ReadOptions {
  readonly filter?: string;
  readonly search?: string;
  readonly members: boolean;
  /** Called with a note about each object that cannot be adopted or read. */
  readonly note: (message: string) => void;
}

/**
 * The groups that a filter matches, with owners, members and senders. Kinds managed by mail
 * administration are skipped, with a note.
 */
export async function readGroups(
  directory: DirectoryClient,
  { filter, search, members, note }: ReadOptions,
): Promise<ExistingGroup[]> {
  const existing: ExistingGroup[] = [];
  const query = {
    ...omitUndefined({ filter }),
    ...(search !== undefined && { search: `"displayName:${search}"` }),
  };
  for await (const group of directory.groups.list(query)) {
    const kind = groupKindOf(group);
    if (kind !== 'security' && kind !== 'unified') {
      note(
        `${group.displayName} (${group.id}) is a ${kind} group, which can't be managed through the directory: left out`,
      );
      continue;
    }
    existing.push(await readGroup(directory, group, members, note));
  }
  return existing;
}

async function readGroup(
  directory: DirectoryClient,
  group: Group,
  withMembers: boolean,
  note: (message: string) => void,
): Promise<ExistingGroup> {
  const { groups } = directory;
  const unified = group.groupTypes.includes('Unified');
  const dynamic = group.groupTypes.includes('DynamicMembership');
  const owners = await all(groups.owners.list(group.id));
  if (owners.length === 0)
    note(
      `${group.displayName} (${group.id}) has no owner: it is declared so that it stays as it is; name owners and remove ownersManagedElsewhere to change that`,
    );
  const more = await readable(
    () => groups.get(group.id, { select: ['id', ...selected] }),
    `${group.displayName}: licences and labels`,
    note,
  );
  const switches = unified
    ? await readable(
        () => groups.get(group.id, { select: ['id', ...mailbox] }),
        `${group.displayName}: mailbox settings`,
        note,
      )
    : undefined;
  return {
    group: { ...group, ...more, ...switches },
    owners,
    members: withMembers && !dynamic ? await all(groups.members.list(group.id)) : undefined,
    acceptedSenders: unified
      ? ((await readable(
          () => all(groups.acceptedSenders.list(group.id)),
          `${group.displayName}: accepted senders`,
          note,
        )) ?? [])
      : [],
    rejectedSenders: unified
      ? ((await readable(
          () => all(groups.rejectedSenders.list(group.id)),
          `${group.displayName}: rejected senders`,
          note,
        )) ?? [])
      : [],
  };
}

/**
 * Properties that the caller may not read, or the service does not have for this group, are omitted
 * with a note.
 */
async function readable<T>(
  read: () => Promise<T>,
  what: string,
  note: (message: string) => void,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isServiceError(error, 400, 403, 404)) throw error;
    note(`${what} could not be read (${error.status} ${error.serviceCode}): left out`);
    return undefined;
  }
}

async function all(source: AsyncIterable<DirectoryObject>): Promise<DirectoryObject[]> {
  const objects: DirectoryObject[] = [];
  for await (const object of source) objects.push(object);
  return objects;
}
