import type { LiveGroup, LiveReader } from '../../policies/model/live-reader.js';

/** A group of a fake directory. */
export interface FakeGroup extends LiveGroup {
  readonly owners?: readonly {
    readonly name: string;
    readonly isServicePrincipal?: boolean;
    /** Kinds of authentication methods; `hidden` means that the caller may not read them. */
    readonly methods?: readonly string[] | 'hidden';
  }[];
  /** By name; `hidden` means that the caller may not read them. */
  readonly members?: readonly string[] | 'hidden';
}

/** A reader of a directory with the given groups. */
export function fakeDirectory(groups: readonly FakeGroup[]): LiveReader {
  const owners = groups.flatMap((group) => group.owners ?? []);
  return {
    findGroup: ({ id: wantedId, mailNickname, displayName }) =>
      Promise.resolve(
        groups.find(({ id }) => id === wantedId) ??
          groups.find(
            (group) => mailNickname !== undefined && group['mailNickname'] === mailNickname,
          ) ??
          groups.find((group) => displayName !== undefined && group['displayName'] === displayName),
      ),
    groupsWithPrefix: (prefix) =>
      Promise.resolve(
        groups.filter((group) =>
          [group['displayName'], group['mailNickname']].some((name) =>
            String(name).startsWith(prefix),
          ),
        ),
      ),
    groupsOwnedBy: (owner) =>
      Promise.resolve(groups.filter((group) => group.owners?.some(({ name }) => name === owner))),
    owners: (groupId) =>
      Promise.resolve(
        (groups.find(({ id }) => id === groupId)?.owners ?? []).map(
          ({ name, isServicePrincipal }) => ({
            id: name,
            name,
            names: [name],
            isUser: isServicePrincipal !== true,
          }),
        ),
      ),
    members: (groupId) => {
      const members = groups.find(({ id }) => id === groupId)?.members ?? [];
      return Promise.resolve(
        members === 'hidden'
          ? undefined
          : members.map((name) => ({ id: name, name, names: [name] })),
      );
    },
    authenticationMethods: (userId) => {
      const methods = owners.find(({ name }) => name === userId)?.methods ?? [];
      return Promise.resolve(methods === 'hidden' ? undefined : methods);
    },
  };
}
