import { followPages, type Page } from '../../clients/common/paging.js';

/** The audiences of the console's tokens, by service. */
export const audienceUris = {
  directory: 'https://graph.microsoft.com',
  items: 'https://api.fabric.microsoft.com',
  billing: 'https://management.azure.com',
} as const;

/** A service that the console reads and changes: tokens for it have the audience of this name. */
export type ConsoleService = keyof typeof audienceUris;

/**
 * Sends a GET request to a service of the sandbox with the toolkit's token, and returns the JSON of
 * its response; undefined for missing objects.
 */
export type RequestJson = <T>(service: ConsoleService, path: string) => Promise<T | undefined>;

/** How many pages of a list are read by default: a sandbox has the data of one person's trials. */
const defaultMaxPages = 10;

/** The entries of a list's first pages. */
export interface FirstPages<T> {
  readonly entries: readonly T[];
  /** Whether the list has pages after them. */
  readonly hasMore: boolean;
}

/** Reads the beginning of a list of a service. @param maxPages @default 10 */
export async function readFirstPages<T>(
  requestJson: RequestJson,
  service: ConsoleService,
  firstPath: string,
  maxPages = defaultMaxPages,
): Promise<FirstPages<T>> {
  const entries: T[] = [];
  let pages = 0;
  for await (const { value } of followPages(firstPath, (link) =>
    requestJson<Page<T>>(service, pathOf(link)),
  )) {
    if (++pages > maxPages) return { entries, hasMore: true };
    entries.push(...value);
  }
  return { entries, hasMore: false };
}

/** Path and query of a link to a next page. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link, 'https://localhost');
  return `${pathname}${search}`;
}
