import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { isServiceError } from '../../../clients/common/service-error.js';
import { type DirectoryObject, type Group, quote } from '../../../clients/directory/index.js';
import { liveGroupProperties } from '../../../policies/sources/live/live-declaration.js';
import type {
  LiveGroup,
  LiveObject,
  LiveOwner,
  LiveReader,
} from '../../../policies/model/live-reader.js';
import type { CliIo } from '../../command.js';
import { kindOfMethod } from '../directory/authentication-method-output.js';
import { objectTypeOf } from '../directory/group-output.js';
import { connectDirectory, connectItems } from '../../services/service-clients.js';
import type { ServiceFlags } from '../../services/service-options.js';
import { liveAppsReader } from './live-apps.js';
import { collectEntries, undefinedIfUnreadable } from './optional-reads.js';
import type { Eventhouse, Item, ItemsClient } from '../../../clients/items/index.js';
import type { LiveItem, LiveItemsReader } from '../../../policies/model/live-items-reader.js';

/** The properties of groups that live rules judge. */
const select = ['id', ...liveGroupProperties];

/**
 * Reads the directory and the workspaces that the flags and the environment name, for the live
 * rules.
 */
export async function liveObjectsReader(flags: ServiceFlags, io: CliIo): Promise<LiveReader> {
  const directory = await connectDirectory(flags, io);
  const findByName = async (
    property: 'mailNickname' | 'displayName',
    name: string,
  ): Promise<readonly Group[]> => {
    const groups: Group[] = [];
    for await (const group of directory.groups.list({
      filter: `${property} eq ${quote(name)}`,
      select,
    }))
      groups.push(group);
    return groups;
  };
  return {
    async groupsWithPrefix(prefix) {
      const prefixFilter = (property: string): string => `startswith(${property},${quote(prefix)})`;
      const filter = `${prefixFilter('displayName')} or ${prefixFilter('mailNickname')}`;
      return (await collectEntries(
        directory.groups.list({ filter, select }),
      )) as unknown as readonly LiveGroup[];
    },
    async groupsOwnedBy(owner) {
      const owned = await undefinedIfUnreadable(() =>
        collectEntries(directory.users.ownedObjects.list(owner)),
      );
      const groups = (owned ?? []).filter((each) => objectTypeOf(each) === 'group');
      return groups as unknown as readonly LiveGroup[];
    },
    items: liveItemsReader(flags, io),
    apps: liveAppsReader(directory, flags, io),
    async findGroup({ id, mailNickname, displayName }) {
      const byId: unknown =
        id === undefined ? undefined : await directory.groups.find(id, { select });
      if (byId !== undefined) return byId as LiveGroup;
      const byNickname =
        mailNickname === undefined ? [] : await findByName('mailNickname', mailNickname);
      const matches =
        byNickname.length > 0 || displayName === undefined
          ? byNickname
          : await findByName('displayName', displayName);
      return (matches.find((group) => group.displayName === displayName) ?? matches[0]) as
        LiveGroup | undefined;
    },
    async owners(groupId) {
      const owners: LiveOwner[] = [];
      for await (const owner of directory.groups.owners.list(groupId))
        owners.push({ ...toLiveObject(owner), isUser: objectTypeOf(owner) === 'user' });
      return owners;
    },
    async members(groupId, maximum) {
      const members: LiveObject[] = [];
      try {
        for await (const member of directory.groups.members.list(groupId)) {
          if (members.push(toLiveObject(member)) > maximum) return undefined;
        }
      } catch (error) {
        if (isServiceError(error, 403)) return undefined;
        throw error;
      }
      return members;
    },
    async authenticationMethods(userId) {
      const kinds: string[] = [];
      try {
        for await (const method of directory.users.authenticationMethods(userId))
          kinds.push(kindOfMethod(method));
      } catch (error) {
        if (isServiceError(error, 403)) return undefined;
        throw error;
      }
      return kinds;
    },
  };
}

function toLiveObject(object: DirectoryObject): LiveObject {
  const { userPrincipalName, mail, mailNickname, displayName } = object as unknown as Readonly<
    Record<string, unknown>
  >;
  // anyone may have the display name that is another user's principal name
  const namesOfType =
    typeof userPrincipalName === 'string'
      ? [userPrincipalName, mail]
      : [mail, mailNickname, displayName];
  const names = namesOfType.filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  const name =
    typeof userPrincipalName === 'string' ? userPrincipalName : (object.displayName ?? object.id);
  return { id: object.id, name, names };
}

/**
 * Reads the workspaces that the flags and the environment name; connects only if a stack declares
 * workspaces.
 */
export function liveItemsReader(flags: ServiceFlags, io: CliIo): LiveItemsReader {
  let connecting: Promise<ItemsClient> | undefined;
  const client = (): Promise<ItemsClient> => (connecting ??= connectItems(flags, io));
  return {
    workspaces: () =>
      undefinedIfUnreadable(async () =>
        (await collectEntries((await client()).workspaces.list())).map(toLiveItem),
      ),
    items: (section, workspaceId) =>
      undefinedIfUnreadable(async () => {
        const items: AsyncIterable<Item | Eventhouse> = (await client())[section].list(workspaceId);
        return (await collectEntries(items)).map(toLiveItem);
      }),
    definition: (section, workspaceId, itemId) =>
      undefinedIfUnreadable(async () => {
        const { parts } = await (await client())[section].getDefinition(workspaceId, itemId);
        return new Map(
          parts.map(({ path, payload }) => [path, Buffer.from(payload, 'base64').toString('utf8')]),
        );
      }),
  };
}

function toLiveItem({ id, displayName, description, properties }: LiveItem): LiveItem {
  return {
    id,
    displayName,
    ...omitUndefined({ description, properties }),
  };
}
