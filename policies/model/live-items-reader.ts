/** A workspace as the service has it. */
export interface LiveWorkspace {
  readonly id: string;
  readonly displayName: string;
  readonly description?: string;
}

/** An eventhouse or an eventstream as the service has it. */
export interface LiveItem extends LiveWorkspace {
  /** What else the service says of it. */
  readonly properties?: object;
}

/** The kinds of items that are declared, by their section. */
export type LiveItemSection = 'eventhouses' | 'eventstreams';

/** The files of a definition, by their paths. */
export type LiveDefinition = ReadonlyMap<string, string>;

/** What live rules need to know of a workspace items service; undefined means what the caller may not read. */
export interface LiveItemsReader {
  workspaces(): Promise<readonly LiveWorkspace[] | undefined>;
  items(section: LiveItemSection, workspaceId: string): Promise<readonly LiveItem[] | undefined>;
  definition(section: LiveItemSection, workspaceId: string, itemId: string): Promise<LiveDefinition | undefined>;
}
