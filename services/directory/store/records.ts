import { sql } from 'kysely';
import type { Body } from './objects.js';
import type { Fragment, Sql } from './sql.js';

/** A stored JSON value that belongs to an object, another record, or the tenant. */
export interface StoredRecord {
  /** Unique in its collection and parent only. */
  readonly id: string;
  readonly body: Body;
}

interface RecordRow {
  readonly id: string;
  readonly body: string;
}

/**
 * Records: what the directory stores beside its objects, such as settings, policies, threads, posts,
 * events and authentication methods. `collection` is their kind, `parent` what they belong to: an
 * object's id, another record's id, a path of both (`{group}/{thread}` for posts), or `''` for the
 * tenant. The table is `directory_item`.
 */
export class RecordStore {
  constructor(private readonly sql: Sql) {}

  async get(collection: string, parent: string, id: string): Promise<StoredRecord | undefined> {
    const row = await this.sql.first<RecordRow>(
      sql`select id, body from directory_item where ${whereKey(collection, parent, id)}`,
    );
    return row && toRecord(row);
  }

  async list(collection: string, parent: string): Promise<StoredRecord[]> {
    const query = sql`select id, body from directory_item where collection = ${collection} and parent = ${parent} order by sort, id`;
    return (await this.sql.query<RecordRow>(query)).map(toRecord);
  }

  /** The first record whose body has all of the values. */
  async findWith(
    collection: string,
    parent: string,
    values: Body,
  ): Promise<StoredRecord | undefined> {
    const entries = Object.entries(values);
    return (await this.list(collection, parent)).find(({ body }) =>
      entries.every(([name, value]) => body[name] === value),
    );
  }

  /** Creates or replaces a record. `sort` is the key by which {@link list} sorts, such as a date. */
  async put(
    collection: string,
    parent: string,
    id: string,
    body: Body,
    sort = '',
  ): Promise<StoredRecord> {
    const row = { collection, parent, id, sort, body: JSON.stringify(body) };
    const conflict = sql`on conflict (collection, parent, id) do update set sort = excluded.sort, body = excluded.body`;
    await this.sql.insert('directory_item', row, conflict);
    return { id, body };
  }

  /** Replaces the body of an existing record; its sort key stays. */
  async replace(collection: string, parent: string, id: string, body: Body): Promise<void> {
    await this.sql.run(
      sql`update directory_item set body = ${JSON.stringify(body)} where ${whereKey(collection, parent, id)}`,
    );
  }

  /** @returns false if there was none. */
  async remove(collection: string, parent: string, id: string): Promise<boolean> {
    return (
      (await this.sql.run(
        sql`delete from directory_item where ${whereKey(collection, parent, id)}`,
      )) > 0
    );
  }

  /** Deletes everything of one parent in all collections, and everything below it (`parent/…`). */
  async removeAll(parent: string): Promise<void> {
    // "0" follows "/" in ASCII: the range contains every parent that starts with `parent/`.
    const [from, to] = [`${parent}/`, `${parent}0`];
    await this.sql.run(
      sql`delete from directory_item where parent = ${parent} or (parent >= ${from} and parent < ${to})`,
    );
  }
}

function whereKey(collection: string, parent: string, id: string): Fragment {
  return sql`collection = ${collection} and parent = ${parent} and id = ${id}`;
}

function toRecord(row: RecordRow): StoredRecord {
  return { id: row.id, body: JSON.parse(row.body) as Body };
}
