import { randomUUID } from 'node:crypto';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { SeedEntry, SeedLists } from '../../common/seed.js';
import { nameOfDefaultDomain } from '../domains/domains-module.js';
import { DirectoryError } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { idOfReference, plainProperties, resolveReference } from '../kernel/references.js';
import type { Body } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import { completeGroup } from './create-group.js';
import { groupType } from './group-type.js';
import { isManagedByApi, isUnified } from './group-kinds.js';

const seededRelations = ['members', 'owners', 'acceptedSenders', 'rejectedSenders'] as const;
const entryId = (entry: SeedEntry): string | undefined =>
  typeof entry['id'] === 'string' ? entry['id'].toLowerCase() : undefined;

/**
 * Creates the groups of a seed list. Only seeds can create mail-enabled security and distribution
 * groups.
 */
export async function seedGroups(directory: Directory, seedLists: SeedLists): Promise<void> {
  const { groups = [] } = seedLists;
  const takenIds = new Set(groups.map(entryId));
  const mailDomain = await nameOfDefaultDomain(directory);
  for (const entry of groups) {
    if (typeof entry['displayName'] !== 'string') throw seedError(entry, 'a displayName is needed');
    const id = entryId(entry) ?? (await findExistingId(directory, entry, takenIds)) ?? randomUUID();
    takenIds.add(id);
    if (
      (await directory.objects.get(id)) !== undefined ||
      (await directory.deletion.findDeleted(id)) !== undefined
    )
      continue;
    const values = {
      mailEnabled: false,
      securityEnabled: true,
      groupTypes: [],
      mailNickname: entry['displayName'].replace(/[^\w.-]+/g, '').slice(0, 64) || 'group',
      ...plainProperties(withoutReferences(entry)),
    };
    const completedGroup = completeGroup(directory, id, values, mailDomain);
    const mailAddresses = isManagedByApi(values)
      ? {}
      : { proxyAddresses: typeof entry['mail'] === 'string' ? [`SMTP:${entry['mail']}`] : [] };
    await directory.objects.create(groupType, id, {
      ...completedGroup,
      ...mailAddresses,
      ...plainProperties(withoutReferences(entry)),
    });
  }
}

/**
 * Adds members, owners and senders to seeded groups: by id, user principal name, object with an id,
 * or address.
 */
export async function seedGroupReferences(
  directory: Directory,
  seedLists: SeedLists,
): Promise<void> {
  const { groups = [] } = seedLists;
  const takenIds = new Set(groups.map(entryId));
  for (const entry of groups) {
    const id = entryId(entry) ?? (await findExistingId(directory, entry, takenIds));
    takenIds.add(id);
    const group = id === undefined ? undefined : await directory.objects.getOfType('group', id);
    if (!group) continue;
    for (const relation of seededRelations)
      for (const reference of referencesOf(entry, relation)) {
        try {
          await directory.links.add(group, relation, await resolveReference(directory, reference));
        } catch (cause) {
          if (cause instanceof DirectoryError)
            throw seedError(entry, `${relation}: ${cause.message}`);
          throw cause;
        }
      }
  }
}

/**
 * The id of the group that an entry without an id created before, found by its nickname, otherwise
 * by its name. Of several such entries with the same one, each has its own group, in the order of
 * creation; only nicknames of unified groups are unique.
 *
 * @param takenIds the groups of other entries.
 */
async function findExistingId(
  directory: Directory,
  entry: SeedEntry,
  takenIds: ReadonlySet<string | undefined>,
): Promise<string | undefined> {
  const nickname = entry['mailNickname'];
  const groups =
    typeof nickname === 'string'
      ? await directory.objects.findBy('group', 'mail_nickname', nickname)
      : await directory.objects.findBy('group', 'display_name', String(entry['displayName']));
  const sharesGroup = (body: Body): boolean => isUnified(entry) && isUnified(body);
  return groups.find(({ id, body }) => !takenIds.has(id) || sharesGroup(body))?.id;
}

function referencesOf(entry: SeedEntry, relation: Relation): string[] {
  const references = entry[relation] ?? entry[`${relation}@odata.bind`] ?? [];
  return (Array.isArray(references) ? references : [references]).map((each: unknown) =>
    idOfReference(typeof each === 'object' && each !== null ? (each as { id?: unknown }).id : each),
  );
}

function withoutReferences(entry: SeedEntry): SeedEntry {
  const droppedNames = new Set<string>(['id', ...seededRelations]);
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !droppedNames.has(name)));
}

function seedError(entry: SeedEntry, reason: string): CastellanError {
  const name = entry['displayName'] ?? entry['id'] ?? 'without a name';
  return new CastellanError('CAS4002', `the seeded group "${String(name)}": ${reason}`, {
    details: { list: 'groups' },
  });
}
