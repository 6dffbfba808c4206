import type { ChangeLog } from './changes.js';
import type { ObjectDeletion } from './object-deletion.js';
import type { RecordStore } from './records.js';
import type { LinkStore } from './links.js';
import type { ObjectStore } from './objects.js';
import type { Sql } from './sql.js';

/** All stores of a directory. */
export interface Stores {
  /** The database. */
  readonly sql: Sql;
  /** Directory objects: groups, users, applications, … */
  readonly objects: ObjectStore;
  /** References between objects: members, owners, … */
  readonly links: LinkStore;
  /** What is stored beside the objects: settings, policies, assignments, threads, … */
  readonly records: RecordStore;
  /** Deletes, restores and purges objects. */
  readonly deletion: ObjectDeletion;
  /** The changes that delta queries return. */
  readonly changes: ChangeLog;
}
