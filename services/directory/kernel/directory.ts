import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import type { Clock } from '../../common/clock.js';
import type { ServiceContext } from '../../common/service.js';
import { ChangeLog } from '../store/changes.js';
import { ObjectDeletion } from '../store/object-deletion.js';
import { RecordStore } from '../store/records.js';
import { ReferringRecordStore } from '../store/referring-records.js';
import { LinkStore } from '../store/links.js';
import { ObjectStore } from '../store/objects.js';
import { Sql } from '../store/sql.js';
import type { Stores } from '../store/stores.js';
import { type ObjectType, ObjectTypes } from './object-type.js';
import { defaultTenantId } from '../../common/tenant.js';

/** The context of every operation. */
export interface Directory extends Stores {
  readonly dialect: Dialect;
  /** `svc.directory` or `microsoft.graph`. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly tenant: Tenant;
  readonly types: ObjectTypes;
  /** As in the context of the service. */
  readonly endSessionsOf?: ServiceContext['endSessionsOf'];
}

/** Opens the stores of a directory whose tables exist. */
export function openDirectory(
  context: ServiceContext,
  objectTypes: readonly ObjectType[],
): Directory {
  const sql = new Sql(context.database);
  const types = new ObjectTypes();
  for (const type of objectTypes) types.add(type);
  const changes = new ChangeLog(sql);
  const objects = new ObjectStore(sql, types, changes, context.clock);
  const records = new RecordStore(sql);
  return {
    dialect: context.dialect,
    namespace: inDialect(dialectWords.directoryNamespace, context.dialect),
    clock: context.clock,
    tenant: tenantOf(context),
    ...omitUndefined({ endSessionsOf: context.endSessionsOf }),
    sql,
    types,
    objects,
    records,
    changes,
    links: new LinkStore(sql, changes, context.clock),
    deletion: new ObjectDeletion(
      sql,
      objects,
      records,
      new ReferringRecordStore(records),
      types,
      changes,
      context.clock,
    ),
  };
}

/** The settings of the whole directory. */
interface Tenant {
  readonly id: string;
  readonly displayName: string;
  /** The domain of unified groups' mail addresses. */
  readonly defaultDomain: string;
}

/** The single tenant of a directory service. */
function tenantOf({ tenantId }: Pick<ServiceContext, 'tenantId'>): Tenant {
  return {
    id: tenantId ?? defaultTenantId,
    displayName: 'Castellan',
    defaultDomain: 'castellan.example',
  };
}
