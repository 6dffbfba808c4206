import type { Dialect } from '../../../core/dialect/dialect.js';
import { say, words } from '../../../core/dialect/dialect.js';
import type { Clock } from '../../common/clock.js';
import type { SeedSection } from '../../common/seed.js';
import type { ServiceContext } from '../../common/service.js';
import type { Router } from '../http/router.js';
import { ChangeLog } from '../store/changes.js';
import { DeletedItems } from '../store/deleted-items.js';
import { ItemStore } from '../store/items.js';
import { LinkStore } from '../store/links.js';
import { ObjectStore } from '../store/objects.js';
import { Sql } from '../store/sql.js';
import type { ObjectType } from './object-type.js';
import { ObjectTypes } from './object-type.js';
import type { Tenant } from './tenant.js';
import { tenantOf } from './tenant.js';

/** Everything that an operation works with. */
export interface Directory {
  readonly dialect: Dialect;
  /** `svc.directory` or `microsoft.graph`. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly tenant: Tenant;
  readonly sql: Sql;
  readonly types: ObjectTypes;
  readonly objects: ObjectStore;
  readonly links: LinkStore;
  readonly items: ItemStore;
  readonly deleted: DeletedItems;
  readonly changes: ChangeLog;
}

/** A part of the directory: an object type with its operations, or an area such as authentication methods. */
export interface DirectoryModule {
  readonly types?: readonly ObjectType[];
  /** Adds the module's operations. */
  routes(router: Router, directory: Directory): void;
  /** Makes ready: built-in objects, listeners. Runs once before the first request, after every module's routes. */
  start?(directory: Directory): Promise<void>;
  /** Applies the module's lists of a seed file; what exists already with the same id is left alone. In the order of the modules. */
  seed?(directory: Directory, section: SeedSection): Promise<void>;
  /** Runs after all modules' {@link seed}: references between what was seeded. */
  linkSeeded?(directory: Directory, section: SeedSection): Promise<void>;
  /** Work that time brings (expiry, purging), done now and then and before a listing would show its absence. */
  tick?(directory: Directory): Promise<void>;
  /** Ends work that runs beside the requests. */
  stop?(): Promise<void>;
}

/** Opens the stores of a directory; its tables exist already. */
export function openDirectory(context: ServiceContext, modules: readonly DirectoryModule[]): Directory {
  const sql = new Sql(context.database);
  const types = new ObjectTypes();
  for (const type of modules.flatMap((module) => module.types ?? [])) types.add(type);
  const changes = new ChangeLog(sql);
  const objects = new ObjectStore(sql, types, changes, context.clock);
  const items = new ItemStore(sql);
  return {
    dialect: context.dialect,
    namespace: say(words.directoryNamespace, context.dialect),
    clock: context.clock,
    tenant: tenantOf(context),
    sql,
    types,
    objects,
    items,
    changes,
    links: new LinkStore(sql, changes, context.clock),
    deleted: new DeletedItems(sql, objects, items, types, changes, context.clock),
  };
}
