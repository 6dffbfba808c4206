import { splitQuery } from '../../../core/text/split-query.js';

/** A page of the console: `#/simulator/storefront?person=ada` has a section, a name and a query. */
export interface Route {
  /** What the page is about: `simulator`, `groups`; empty for the overview. */
  readonly section: string;
  /** The object on the page, by its id or name; undefined if the address has none. */
  readonly name: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

/** The page that the hash of an address names. */
export function routeOf(hash: string): Route {
  const [path, search = ''] = splitQuery(hash.replace(/^#\/?/, ''));
  const [section = '', name] = path.split('/').map(decode);
  return {
    section,
    name: name === '' ? undefined : name,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand: the page shows that no such object exists
  }
}
