import { group } from '../../../kinds/group/group.js';
import type { Clock } from '../../common/clock.js';
import type { ChangeLog } from './changes.js';
import type { ItemStore } from './items.js';
import { type Body, lookupColumns, type ObjectStore, type StoredObject, type StoredTypes } from './objects.js';
import { roundLimit, type Sql } from './sql.js';
import { type Relation, relations } from './relations.js';

/** A logically deleted object. */
export interface DeletedObject extends StoredObject {
  readonly deletedAt: string;
}

interface DeletedRow {
  readonly number: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly deleted_at: string;
  readonly body: string;
}

/** A text parameter in a select list, whose type PostgreSQL can't guess. */
const textParameter = 'cast(? as text)';
const columns = 'number, id, type, version, deleted_at, body';

/**
 * Deleting, restoring and purging. A logically deleted object loses its references at once (it gives no access and shows in no list)
 * and gets them back when it is restored, as far as the other ends still exist. After 30 days by the service's clock it is as good as
 * purged.
 */
export class DeletedItems {
  constructor(
    private readonly sql: Sql,
    private readonly objects: ObjectStore,
    private readonly items: ItemStore,
    private readonly types: StoredTypes,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Deletes an object: logically where its type says so, else for good. */
  remove(object: StoredObject): Promise<void> {
    const { softDelete } = this.types.get(object.type);
    const soft = typeof softDelete === 'function' ? softDelete(object.body) : softDelete;
    return this.sql.write(async () => {
      await this.objects.takeAway(object);
      if (soft) await this.#putAside(object);
      else await this.#forget(object);
      await this.changes.object(soft ? 'changed' : 'deleted', object, this.clock.now());
      await this.objects.announceGone(object);
    });
  }

  /** A deleted object that can still be restored. */
  async get(id: string): Promise<DeletedObject | undefined> {
    const statement = `select ${columns} from directory_deleted_object where id = ? and deleted_at > ?`;
    const row = await this.sql.get<DeletedRow>(statement, [id.toLowerCase(), this.horizon()]);
    return row && toDeletedObject(row);
  }

  /** The deleted objects of a type after a number, in the order the objects were made. */
  async page(type: string, after: number, limit: number): Promise<DeletedObject[]> {
    const statement = `select ${columns} from directory_deleted_object
      where type = ? and deleted_at > ? and number > ? order by number limit ${roundLimit(limit)}`;
    return (await this.sql.all<DeletedRow>(statement, [type, this.horizon(), after])).slice(0, limit).map(toDeletedObject);
  }

  /** Brings an object back with its references. The caller has checked that its names are still free. */
  restore(object: DeletedObject, body: Body = object.body): Promise<StoredObject> {
    return this.sql.write(async () => {
      await this.sql.run('delete from directory_deleted_object where number = ?', [object.number]);
      const restored = await this.objects.putBack({ ...object, body });
      await this.#bringReferencesBack(object.number);
      await this.objects.announce(restored);
      return restored;
    });
  }

  /** Removes a deleted object for good. */
  purge(object: DeletedObject): Promise<void> {
    return this.sql.write(async () => {
      await this.#forget(object);
      await this.changes.object('deleted', object, this.clock.now());
    });
  }

  /** Purges what was deleted too long ago. */
  async purgeExpired(): Promise<void> {
    const statement = `select ${columns} from directory_deleted_object where deleted_at <= ? limit 1000`;
    for (const row of await this.sql.all<DeletedRow>(statement, [this.horizon()])) await this.purge(toDeletedObject(row));
  }

  /** What was deleted at or before this instant can't be restored any more. */
  horizon(): string {
    return new Date(this.clock.now().getTime() - group.limits.deletedForDays * 86_400_000).toISOString();
  }

  /**
   * Drops references of a live object to deleted ones, so that they don't come back with them.
   *
   * @returns whether there were any.
   */
  async forgetReference(source: { readonly number: number }, relation: Relation): Promise<boolean> {
    const statement = 'delete from directory_deleted_link where source = ? and relation = ? and deleted_with <> ?';
    return (await this.sql.run(statement, [source.number, relations[relation], source.number])) > 0;
  }

  async #putAside(object: StoredObject): Promise<void> {
    const [name, ...lookups] = lookupColumns(this.types.get(object.type), object.body);
    await this.sql.run(
      `insert into directory_deleted_object
         (number, id, type, version, display_name, display_name_words, description_words, deleted_at, body)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        object.number,
        object.id,
        object.type,
        object.version,
        name ?? '',
        ...lookups.slice(-2),
        this.clock.now().toISOString(),
        JSON.stringify(object.body),
      ],
    );
    await this.sql.run(
      `insert into directory_deleted_link (source, relation, target, deleted_with)
       select source, relation, target, cast(? as integer) from directory_link where source = ?
       union select source, relation, target, cast(? as integer) from directory_link where target = ?`,
      [object.number, object.number, object.number, object.number],
    );
    await this.#noteOwnReferencesGone(object);
    await this.#dropLinks(object);
  }

  /** The object may come back in the same delta round, and without those of its references whose other end is gone by then. */
  async #noteOwnReferencesGone(object: StoredObject): Promise<void> {
    await this.sql.run(
      `insert into directory_change (at, number, id, type, kind, relation, target_id, target_type, removed)
       select ${textParameter}, l.source, ${textParameter}, ${textParameter}, 'link', l.relation, t.id, t.type, 1
       from directory_link l join directory_object t on t.number = l.target where l.source = ?`,
      [this.clock.now().toISOString(), object.id, object.type, object.number],
    );
  }

  /** References that lead to the object are noted as gone; those that start at it go with it. */
  async #dropLinks(object: StoredObject): Promise<void> {
    await this.sql.run(
      `insert into directory_change (at, number, id, type, kind, relation, target_id, target_type, removed)
       select ${textParameter}, s.number, s.id, s.type, 'link', l.relation, ${textParameter}, ${textParameter}, 1
       from directory_link l join directory_object s on s.number = l.source where l.target = ?`,
      [this.clock.now().toISOString(), object.id, object.type, object.number],
    );
    await this.sql.run('delete from directory_link where source = ?', [object.number]);
    await this.sql.run('delete from directory_link where target = ?', [object.number]);
  }

  async #forget(object: StoredObject): Promise<void> {
    await this.#dropLinks(object);
    await this.sql.run('delete from directory_deleted_link where source = ? or target = ? or deleted_with = ?', [
      object.number,
      object.number,
      object.number,
    ]);
    await this.sql.run('delete from directory_deleted_object where number = ?', [object.number]);
    await this.items.removeAll(object.id);
  }

  /** References whose other end is deleted too wait for that one's return. */
  async #bringReferencesBack(number: number): Promise<void> {
    await this.sql.run(
      `insert into directory_link (source, relation, target) select source, relation, target from directory_deleted_link
       where deleted_with = ? and exists (select 1 from directory_object where number = source)
         and exists (select 1 from directory_object where number = target) on conflict do nothing`,
      [number],
    );
    await this.sql.run(
      `insert into directory_change (at, number, id, type, kind, relation, target_id, target_type, removed)
       select ${textParameter}, s.number, s.id, s.type, 'link', l.relation, t.id, t.type, 0 from directory_deleted_link l
       join directory_object s on s.number = l.source join directory_object t on t.number = l.target where l.deleted_with = ?`,
      [this.clock.now().toISOString(), number],
    );
    await this.sql.run(
      `delete from directory_deleted_link where deleted_with = ? and exists (select 1 from directory_object where number = source)
         and exists (select 1 from directory_object where number = target)`,
      [number],
    );
    await this.sql.run(
      'update directory_deleted_link set deleted_with = case when source = ? then target else source end where deleted_with = ?',
      [number, number],
    );
  }
}

function toDeletedObject(row: DeletedRow): DeletedObject {
  return {
    number: row.number,
    id: row.id,
    type: row.type,
    version: row.version,
    body: JSON.parse(row.body) as Body,
    deletedAt: row.deleted_at,
  };
}
