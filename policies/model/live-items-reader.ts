/** A live workspace. */
export interface LiveWorkspace {
  readonly id: string;
  readonly displayName: string;
  readonly description?: string;
}

/** A live eventhouse or eventstream. */
export interface LiveItem extends LiveWorkspace {
  /** Its other properties. */
  readonly properties?: object;
}

/** The kinds of items that can be declared, by section. */
export type LiveItemSection = 'eventhouses' | 'eventstreams';

/** The files of a definition, by their paths. */
export type LiveDefinition = ReadonlyMap<string, string>;

/**
 * What live rules read from a workspace items service; undefined means that the caller may not read
 * it.
 */
export interface LiveItemsReader {
  workspaces(): Promise<readonly LiveWorkspace[] | undefined>;
  items(section: LiveItemSection, workspaceId: string): Promise<readonly LiveItem[] | undefined>;
  definition(
    section: LiveItemSection,
    workspaceId: string,
    itemId: string,
  ): Promise<LiveDefinition | undefined>;
}
