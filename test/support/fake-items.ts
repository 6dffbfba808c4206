import type { LiveItem, LiveItemsReader } from '../../policies/model/live-items-reader.js';

/** An item of a fake service, with the documents of its definition by their paths. */
export interface FakeItem extends LiveItem {
  readonly definition?: Readonly<Record<string, unknown>>;
}

/** A workspace of a fake service, with what is in it. */
export interface FakeWorkspace extends LiveItem {
  readonly eventhouses?: readonly FakeItem[];
  readonly eventstreams?: readonly FakeItem[];
}

/** A reader of a fake items service that has the given workspaces. */
export function fakeItems(workspaces: readonly FakeWorkspace[]): LiveItemsReader {
  const itemsIn = (
    section: 'eventhouses' | 'eventstreams',
    workspaceId: string,
  ): readonly FakeItem[] => workspaces.find(({ id }) => id === workspaceId)?.[section] ?? [];
  return {
    workspaces: () => Promise.resolve(workspaces),
    items: (section, workspaceId) => Promise.resolve(itemsIn(section, workspaceId)),
    definition: (section, workspaceId, itemId) => {
      const { definition = {} } =
        itemsIn(section, workspaceId).find(({ id }) => id === itemId) ?? {};
      return Promise.resolve(
        new Map(
          Object.entries(definition).map(([path, document]) => [path, JSON.stringify(document)]),
        ),
      );
    },
  };
}
