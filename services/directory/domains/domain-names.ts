import type { SeedEntry } from '../../common/seed.js';
import type { Directory } from '../kernel/directory.js';
import { fold } from '../odata/index.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';

/** Where domains are kept: things of the tenant, by their name. */
export const domainCollection = 'domains';

/** All domains; the default one first, then in the order of their names. */
export async function listDomains(directory: Directory): Promise<readonly Item[]> {
  const domains = await directory.items.list(domainCollection, '');
  return [...domains].sort((a, b) => Number(b.body['isDefault']) - Number(a.body['isDefault']));
}

/** The names that user principal names may end in, folded. */
export async function verifiedDomains(directory: Directory): Promise<ReadonlySet<string>> {
  return new Set((await listDomains(directory)).filter(({ body }) => body['isVerified'] === true).map(({ id }) => fold(id)));
}

/** The properties of a new domain. */
export function domainBody(more: { readonly isVerified: boolean; readonly isDefault?: boolean; readonly isInitial?: boolean }): Body {
  return {
    authenticationType: 'Managed',
    availabilityStatus: null,
    isAdminManaged: true,
    isDefault: more.isDefault ?? false,
    isInitial: more.isInitial ?? false,
    isRoot: true,
    isVerified: more.isVerified,
    passwordNotificationWindowInDays: 14,
    passwordValidityPeriodInDays: 90,
    state: null,
    supportedServices: more.isVerified ? ['Email', 'OfficeCommunicationsOnline'] : [],
  };
}

/** Stores a domain. */
export function putDomain(directory: Directory, name: string, body: Body): Promise<Item> {
  return directory.items.put(domainCollection, '', name, body, name);
}

/** A seed speaks of its own people: the domains of their names count as verified. */
export async function addSeededDomains(directory: Directory, users: readonly SeedEntry[]): Promise<void> {
  const names = users.map((user) => /@([^@\s]+)$/.exec(String(user['userPrincipalName'] ?? ''))?.[1]?.toLowerCase());
  for (const name of new Set(names))
    if (name !== undefined && !(await directory.items.get(domainCollection, '', name)))
      await putDomain(directory, name, domainBody({ isVerified: true }));
}
