import type { Body } from './objects.js';
import type { Sql } from './sql.js';

/** A thing that belongs to something else, as stored. */
export interface Item {
  readonly id: string;
  readonly body: Body;
}

interface ItemRow {
  readonly id: string;
  readonly body: string;
}

/**
 * Things that are only reached through what they belong to: settings, policies, threads, posts, events, authentication methods.
 * `collection` says what they are, `parent` whose: an object's id, another item's id, or `''` for the tenant.
 */
export class ItemStore {
  constructor(private readonly sql: Sql) {}

  async get(collection: string, parent: string, id: string): Promise<Item | undefined> {
    const statement = 'select id, body from directory_item where collection = ? and parent = ? and id = ?';
    const row = await this.sql.get<ItemRow>(statement, [collection, parent, id]);
    return row && toItem(row);
  }

  async list(collection: string, parent: string): Promise<Item[]> {
    const statement = 'select id, body from directory_item where collection = ? and parent = ? order by sort, id';
    return (await this.sql.all<ItemRow>(statement, [collection, parent])).map(toItem);
  }

  /** Creates or replaces. `sort` is what {@link list} orders by, such as a date. */
  async put(collection: string, parent: string, id: string, body: Body, sort = ''): Promise<Item> {
    await this.sql.run(
      `insert into directory_item (collection, parent, id, sort, body) values (?, ?, ?, ?, ?)
       on conflict (collection, parent, id) do update set sort = excluded.sort, body = excluded.body`,
      [collection, parent, id, sort, JSON.stringify(body)],
    );
    return { id, body };
  }

  /** Gives an item that exists another body; its place in the list stays. */
  async replace(collection: string, parent: string, id: string, body: Body): Promise<void> {
    const statement = 'update directory_item set body = ? where collection = ? and parent = ? and id = ?';
    await this.sql.run(statement, [JSON.stringify(body), collection, parent, id]);
  }

  /** @returns false when there was none. */
  async remove(collection: string, parent: string, id: string): Promise<boolean> {
    const statement = 'delete from directory_item where collection = ? and parent = ? and id = ?';
    return (await this.sql.run(statement, [collection, parent, id])) > 0;
  }

  /** Removes everything of one parent, whatever the collection, and what hangs on it (`parent/…`). */
  async removeAll(parent: string): Promise<void> {
    // "0" follows "/" in ASCII: the range holds every parent that begins with `parent/`.
    await this.sql.run('delete from directory_item where parent = ? or (parent >= ? and parent < ?)', [parent, `${parent}/`, `${parent}0`]);
  }
}

function toItem(row: ItemRow): Item {
  return { id: row.id, body: JSON.parse(row.body) as Body };
}
