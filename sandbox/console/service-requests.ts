import { followPages, type Page } from '../../clients/common/paging.js';

/** The audiences of the console's tokens, by service. */
export const audienceUris = {
  directory: 'https://graph.microsoft.com',
  items: 'https://api.fabric.microsoft.com',
  billing: 'https://management.azure.com',
} as const;

/** A service that the console reads; its tokens have its audience. */
export type Audience = keyof typeof audienceUris;

/**
 * Sends a request to a service of the sandbox with the toolkit's token; undefined for missing
 * objects.
 */
export type RequestJson = <T>(audience: Audience, path: string) => Promise<T | undefined>;

/** The most pages read of a list: a sandbox contains what one person tries out. */
const mostPages = 10;

/** Reads a list of a service, page by page. */
export async function readAll<T>(
  ask: RequestJson,
  audience: Audience,
  first: string,
  pages = mostPages,
): Promise<readonly T[]> {
  const items: T[] = [];
  let read = 0;
  for await (const { value } of followPages(first, (address) =>
    ask<Page<T>>(audience, pathIn(address)),
  )) {
    items.push(...value);
    if (++read === pages) break;
  }
  return items;
}

function pathIn(link: string): string {
  const { pathname, search } = new URL(link, 'https://localhost');
  return `${pathname}${search}`;
}
