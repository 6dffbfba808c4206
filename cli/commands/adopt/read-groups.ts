import { isServiceError } from '../../../clients/common/index.js';
import type { DirectoryClient, DirectoryObject, Group } from '../../../clients/directory/index.js';
import { filterOptions, groupKindOf, searchClause } from '../directory/group-output.js';
import type { ExistingGroup } from './adopt-groups.js';

/** Properties that the directory returns only if they are selected. */
const selectOnlyProperties = ['assignedLicenses', 'assignedLabels'];
const mailboxProperties = [
  'allowExternalSenders',
  'autoSubscribeNewMembers',
  'hideFromAddressLists',
  'hideFromOutlookClients',
];

/** Options for reading groups of the directory. */
export interface ReadGroupsOptions {
  readonly filter?: string;
  readonly search?: string;
  /** Whether to read the members, too. */
  readonly withMembers: boolean;
  /** Called with a note about each object that cannot be adopted or read. */
  readonly note: (message: string) => void;
}

/**
 * The groups that a filter matches, with owners, members and senders. Kinds managed by mail
 * administration are skipped, with a note.
 */
export async function readGroups(
  directory: DirectoryClient,
  { filter, search, withMembers, note }: ReadGroupsOptions,
): Promise<ExistingGroup[]> {
  const existingGroups: ExistingGroup[] = [];
  const query = {
    ...filterOptions(filter),
    ...(search !== undefined && { search: searchClause('displayName', search) }),
  };
  for await (const group of directory.groups.list(query)) {
    const kind = groupKindOf(group);
    if (kind !== 'security' && kind !== 'unified') {
      note(
        `${group.displayName} (${group.id}) is a ${kind} group, which can't be managed through the directory: left out`,
      );
      continue;
    }
    existingGroups.push(await readGroup(directory, group, withMembers, note));
  }
  return existingGroups;
}

async function readGroup(
  directory: DirectoryClient,
  group: Group,
  withMembers: boolean,
  note: (message: string) => void,
): Promise<ExistingGroup> {
  const { groups } = directory;
  const isUnified = group.groupTypes.includes('Unified');
  const isDynamic = group.groupTypes.includes('DynamicMembership');
  const owners = await collectObjects(groups.owners.list(group.id));
  if (owners.length === 0)
    note(
      `${group.displayName} (${group.id}) has no owner: it is declared so that it stays as it is; name owners and remove ownersManagedElsewhere to change that`,
    );
  const licencesAndLabels = await readOrNote(
    () => groups.get(group.id, { select: ['id', ...selectOnlyProperties] }),
    `${group.displayName}: licences and labels`,
    note,
  );
  const mailboxSettings = isUnified
    ? await readOrNote(
        () => groups.get(group.id, { select: ['id', ...mailboxProperties] }),
        `${group.displayName}: mailbox settings`,
        note,
      )
    : undefined;
  return {
    group: { ...group, ...licencesAndLabels, ...mailboxSettings },
    owners,
    members:
      withMembers && !isDynamic ? await collectObjects(groups.members.list(group.id)) : undefined,
    acceptedSenders: isUnified
      ? ((await readOrNote(
          () => collectObjects(groups.acceptedSenders.list(group.id)),
          `${group.displayName}: accepted senders`,
          note,
        )) ?? [])
      : [],
    rejectedSenders: isUnified
      ? ((await readOrNote(
          () => collectObjects(groups.rejectedSenders.list(group.id)),
          `${group.displayName}: rejected senders`,
          note,
        )) ?? [])
      : [],
  };
}

/**
 * What `read` returns; undefined, with a note, if the caller may not read it or the service does
 * not have it for this group.
 */
async function readOrNote<T>(
  read: () => Promise<T>,
  label: string,
  note: (message: string) => void,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isServiceError(error, 400, 403, 404)) throw error;
    note(`${label} could not be read (${error.status} ${error.serviceCode}): left out`);
    return undefined;
  }
}

async function collectObjects(source: AsyncIterable<DirectoryObject>): Promise<DirectoryObject[]> {
  const objects: DirectoryObject[] = [];
  for await (const object of source) objects.push(object);
  return objects;
}
