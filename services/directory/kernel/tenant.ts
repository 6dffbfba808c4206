import type { ServiceContext } from '../../common/service.js';
import { defaultTenantId } from '../../common/tenant.js';

/** What is true for the whole directory. */
export interface Tenant {
  readonly id: string;
  readonly displayName: string;
  /** The domain that a unified group's address is made with. */
  readonly defaultDomain: string;
}

/** The one tenant of a directory service. */
export function tenantOf({ tenantId }: Pick<ServiceContext, 'tenantId'>): Tenant {
  return { id: tenantId ?? defaultTenantId, displayName: 'Castellan', defaultDomain: 'castellan.example' };
}
