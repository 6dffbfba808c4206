import { sql } from 'kysely';
import { group } from '../../../kinds/group/group.js';
import type { Clock } from '../../common/clock.js';
import type { ChangeLog } from './changes.js';
import type { RecordStore } from './records.js';
import type { ObjectState, ReferringRecordStore } from './referring-records.js';
import {
  type Body,
  lookupColumns,
  type ObjectRow,
  type ObjectStore,
  type StoredObject,
  type StoredTypes,
  toStoredObject,
} from './objects.js';
import { type Fragment, type Sql } from './sql.js';
import { type Relation, relations } from './relations.js';

/** A deleted object that can be restored. */
export interface DeletedObject extends StoredObject {
  /** ISO 8601. */
  readonly deletedAt: string;
}

interface DeletedRow extends ObjectRow {
  readonly deleted_at: string;
}

const deletedObjectColumns = sql`number, id, type, version, deleted_at, body`;
/** The change log with the columns of a reference's change, for statements that insert some. */
const referenceChangeColumns = sql`directory_change (at, number, id, type, kind, relation, target_id, target_type, removed)`;

/** A text parameter in a select list, with the type that PostgreSQL cannot infer. */
function textParameter(value: string): Fragment {
  return sql`cast(${value} as text)`;
}

/**
 * Deletes, restores and purges objects. A deleted object loses its references at once (it gives no
 * access and is in no list) and gets them back when it is restored, if the other objects still
 * exist; so do the records that name it. After 30 days by the service's clock it counts as purged.
 */
export class ObjectDeletion {
  constructor(
    private readonly sql: Sql,
    private readonly objects: ObjectStore,
    private readonly records: RecordStore,
    /** What names objects by their ids and is deleted and restored with them. */
    readonly referringRecords: ReferringRecordStore,
    private readonly types: StoredTypes,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Deletes an object: restorably if its type allows it, otherwise permanently. */
  delete(object: StoredObject): Promise<void> {
    const { softDelete } = this.types.get(object.type);
    const isRestorable = typeof softDelete === 'function' ? softDelete(object.body) : softDelete;
    return this.sql.transaction(async () => {
      await this.objects.remove(object);
      const removedRecords = await this.referringRecords.removeOf(object.id);
      if (isRestorable) {
        await this.#keepForRestore(object);
        await this.referringRecords.keep(object.id, removedRecords);
      } else await this.#deletePermanently(object);
      await this.changes.logObject(isRestorable ? 'changed' : 'deleted', object, this.clock.now());
      await this.objects.notifyRemoved(object);
    });
  }

  /** A deleted object that can still be restored. */
  async findDeleted(id: string): Promise<DeletedObject | undefined> {
    return (
      await this.#read(sql`id = ${id.toLowerCase()} and deleted_at > ${this.restoreCutoff()}`)
    )[0];
  }

  /** Restores an object with its references. The caller has checked that its names are free. */
  restore(object: DeletedObject, body: Body = object.body): Promise<StoredObject> {
    return this.sql.transaction(async () => {
      await this.sql.run(sql`delete from directory_deleted_object where number = ${object.number}`);
      const restored = await this.objects.restore({ ...object, body });
      await this.#restoreReferences(object.number);
      await this.referringRecords.restoreOf(object.id, (id) => this.#stateOf(id));
      await this.objects.notifyRestored(restored);
      return restored;
    });
  }

  /** Deletes a deleted object permanently. */
  purge(object: DeletedObject): Promise<void> {
    return this.sql.transaction(async () => {
      await this.#deletePermanently(object);
      await this.changes.logObject('deleted', object, this.clock.now());
    });
  }

  /** Purges the objects that can no longer be restored. */
  async purgeExpired(): Promise<void> {
    for (const object of await this.#read(sql`deleted_at <= ${this.restoreCutoff()} limit 1000`))
      await this.purge(object);
  }

  /** The instant at or before which a deleted object can no longer be restored. */
  restoreCutoff(): string {
    return new Date(
      this.clock.now().getTime() - group.limits.deletedForDays * 86_400_000,
    ).toISOString();
  }

  /**
   * Deletes the references of a live object to deleted ones, so that a restore does not bring them
   * back.
   *
   * @returns whether there were any.
   */
  async deleteReferenceToDeleted(
    { number }: { readonly number: number },
    relation: Relation,
  ): Promise<boolean> {
    const statement = sql`delete from directory_deleted_link
      where source = ${number} and relation = ${relations[relation]} and deleted_with <> ${number}`;
    return (await this.sql.run(statement)) > 0;
  }

  async #stateOf(id: string): Promise<ObjectState> {
    if (await this.objects.get(id)) return 'live';
    return (await this.findDeleted(id)) ? 'deleted' : 'gone';
  }

  async #read(where: Fragment): Promise<DeletedObject[]> {
    return (
      await this.sql.query<DeletedRow>(
        sql`select ${deletedObjectColumns} from directory_deleted_object where ${where}`,
      )
    ).map(toDeletedObject);
  }

  async #keepForRestore({ number, id, type, version, body }: StoredObject): Promise<void> {
    const {
      display_name = '',
      display_name_words = '',
      description_words = '',
    } = lookupColumns(this.types.get(type), body);
    const names = { display_name, display_name_words, description_words };
    const row = {
      number,
      id,
      type,
      version,
      ...names,
      deleted_at: this.#now(),
      body: JSON.stringify(body),
    };
    await this.sql.insert('directory_deleted_object', row);
    await this.sql
      .run(sql`insert into directory_deleted_link (source, relation, target, deleted_with)
      select source, relation, target, cast(${number} as integer) from directory_link where source = ${number}
      union select source, relation, target, cast(${number} as integer) from directory_link where target = ${number}`);
    // The object may be restored within the same delta round, without the references whose other
    // object is gone.
    await this.sql.run(sql`insert into ${referenceChangeColumns}
      select ${textParameter(this.#now())}, l.source, ${textParameter(id)}, ${textParameter(type)}, 'link', l.relation, t.id, t.type, 1
      from directory_link l join directory_object t on t.number = l.target where l.source = ${number}`);
    await this.#dropLinks({ number, id, type });
  }

  /**
   * Deletes the references of an object. References to it are logged as removed; its own are
   * removed with it.
   */
  async #dropLinks({
    number,
    id,
    type,
  }: Pick<StoredObject, 'number' | 'id' | 'type'>): Promise<void> {
    await this.sql.run(sql`insert into ${referenceChangeColumns}
      select ${textParameter(this.#now())}, s.number, s.id, s.type, 'link', l.relation, ${textParameter(id)}, ${textParameter(type)}, 1
      from directory_link l join directory_object s on s.number = l.source where l.target = ${number}`);
    await this.sql.run(sql`delete from directory_link where source = ${number}`);
    await this.sql.run(sql`delete from directory_link where target = ${number}`);
  }

  async #deletePermanently(object: StoredObject): Promise<void> {
    const { number } = object;
    await this.#dropLinks(object);
    await this.sql.run(
      sql`delete from directory_deleted_link where source = ${number} or target = ${number} or deleted_with = ${number}`,
    );
    await this.sql.run(sql`delete from directory_deleted_object where number = ${number}`);
    await this.records.removeAll(object.id);
  }

  /** A reference to another deleted object stays deleted until that object is restored, too. */
  async #restoreReferences(number: number): Promise<void> {
    const bothLiveCondition = sql`deleted_with = ${number} and exists (select 1 from directory_object where number = source)
      and exists (select 1 from directory_object where number = target)`;
    await this.sql.run(sql`insert into directory_link (source, relation, target)
      select source, relation, target from directory_deleted_link where ${bothLiveCondition} on conflict do nothing`);
    await this.sql.run(sql`insert into ${referenceChangeColumns}
      select ${textParameter(this.#now())}, s.number, s.id, s.type, 'link', l.relation, t.id, t.type, 0 from directory_deleted_link l
      join directory_object s on s.number = l.source join directory_object t on t.number = l.target where l.deleted_with = ${number}`);
    await this.sql.run(sql`delete from directory_deleted_link where ${bothLiveCondition}`);
    await this.sql.run(sql`update directory_deleted_link
      set deleted_with = case when source = ${number} then target else source end where deleted_with = ${number}`);
  }

  #now(): string {
    return this.clock.now().toISOString();
  }
}

function toDeletedObject(row: DeletedRow): DeletedObject {
  return { ...toStoredObject(row), deletedAt: row.deleted_at };
}
