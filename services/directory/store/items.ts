import { sql } from 'kysely';
import type { Body } from './objects.js';
import type { Fragment, Sql } from './sql.js';

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
    const row = await this.sql.first<ItemRow>(sql`select id, body from directory_item where ${whereKey(collection, parent, id)}`);
    return row && toItem(row);
  }

  async list(collection: string, parent: string): Promise<Item[]> {
    const query = sql`select id, body from directory_item where collection = ${collection} and parent = ${parent} order by sort, id`;
    return (await this.sql.query<ItemRow>(query)).map(toItem);
  }

  /** The first whose body has all of the values. */
  async findWith(collection: string, parent: string, values: Body): Promise<Item | undefined> {
    const entries = Object.entries(values);
    return (await this.list(collection, parent)).find(({ body }) => entries.every(([name, value]) => body[name] === value));
  }

  /** Creates or replaces. `sort` is what {@link list} orders by, such as a date. */
  async put(collection: string, parent: string, id: string, body: Body, sort = ''): Promise<Item> {
    const row = { collection, parent, id, sort, body: JSON.stringify(body) };
    const conflict = sql`on conflict (collection, parent, id) do update set sort = excluded.sort, body = excluded.body`;
    await this.sql.insert('directory_item', row, conflict);
    return { id, body };
  }

  /** Gives an item that exists another body; its place in the list stays. */
  async replace(collection: string, parent: string, id: string, body: Body): Promise<void> {
    await this.sql.run(sql`update directory_item set body = ${JSON.stringify(body)} where ${whereKey(collection, parent, id)}`);
  }

  /** @returns false when there was none. */
  async remove(collection: string, parent: string, id: string): Promise<boolean> {
    return (await this.sql.run(sql`delete from directory_item where ${whereKey(collection, parent, id)}`)) > 0;
  }

  /** Removes everything of one parent, whatever the collection, and what hangs on it (`parent/…`). */
  async removeAll(parent: string): Promise<void> {
    // "0" follows "/" in ASCII: the range holds every parent that begins with `parent/`.
    const [from, to] = [`${parent}/`, `${parent}0`];
    await this.sql.run(sql`delete from directory_item where parent = ${parent} or (parent >= ${from} and parent < ${to})`);
  }
}

function whereKey(collection: string, parent: string, id: string): Fragment {
  return sql`collection = ${collection} and parent = ${parent} and id = ${id}`;
}

function toItem(row: ItemRow): Item {
  return { id: row.id, body: JSON.parse(row.body) as Body };
}
