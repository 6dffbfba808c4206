import { type Finder, findItem } from '../finders.js';

/** How what castellan's own types made is found again; those that change an object rather than make one need no finder. */
export const finders: Readonly<Record<string, Finder>> = {
  castellan_eventhouse: findItem('Eventhouse'),
  castellan_eventstream: findItem('Eventstream'),
};
