import type { Finder } from '../finders.js';
import { addressOf } from './resource-address.js';

/** How what azapi made is found again: ids are made of parents and names. */
export const finders: Readonly<Record<string, Finder>> = {
  azapi_resource: ({ planned }) => Promise.resolve({ id: addressOf(planned).id }),
};
