import { useLayoutEffect, useState } from 'preact/hooks';
import { type Route, routeOf } from './route.js';

/** The page that the address names, now and after each change. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  // A layout effect, since a later listener would miss an address that changes while the page loads.
  useLayoutEffect(() => {
    const onHashChange = (): void => {
      if (!location.hash.startsWith('#/') && location.hash !== '') return;
      const next = readRoute();
      setRoute((previous) => {
        if (previous.section !== next.section || previous.name !== next.name) scrollTo(0, 0);
        return next;
      });
    };
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return route;
}

/** The `person` in a simulator's address for somebody who is described by attributes only. */
export const hypotheticalPerson = 'somebody';

/** The address of a page. Values that are empty are left out. */
export function pageAddress(
  section: string,
  name?: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const search = entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
  return `#/${section}${name === undefined ? '' : `/${encodeURIComponent(name)}`}${search}`;
}

function readRoute(): Route {
  return routeOf(location.hash);
}
