import type { ChangeLog } from './changes.js';
import type { ObjectDeletion } from './object-deletion.js';
import type { RecordStore } from './records.js';
import type { LinkStore } from './links.js';
import type { ObjectStore } from './objects.js';
import type { Sql } from './sql.js';

/** All stores of a directory. */
export interface Stores {
  readonly sql: Sql;
  readonly objects: ObjectStore;
  readonly links: LinkStore;
  readonly records: RecordStore;
  readonly deletion: ObjectDeletion;
  readonly changes: ChangeLog;
}
