import type { ChangeLog } from './changes.js';
import type { DeletedItems } from './deleted-items.js';
import type { ItemStore } from './items.js';
import type { LinkStore } from './links.js';
import type { ObjectStore } from './objects.js';
import type { Sql } from './sql.js';

/** All stores of a directory. */
export interface Stores {
  readonly sql: Sql;
  readonly objects: ObjectStore;
  readonly links: LinkStore;
  readonly items: ItemStore;
  readonly deleted: DeletedItems;
  readonly changes: ChangeLog;
}
