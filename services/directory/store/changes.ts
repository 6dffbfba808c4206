import { sql } from 'kysely';
import { powerOfTwoLimit, type Sql } from './sql.js';
import { type Relation, relations } from './relations.js';

/** How long changes are kept, and so how long delta tokens are valid. */
export const changesKeptForDays = 7;

/** The object of a logged change. */
interface ChangedObject {
  readonly number: number;
  readonly id: string;
  readonly type: string;
}

/** An entry of the log, as stored. */
export interface Change {
  /** The id of the changed object; for a `link`, that of its source. */
  readonly id: string;
  /** As {@link ChangeLog.logObject} says; `link` for a reference that was added or removed. */
  readonly kind: 'set' | 'changed' | 'deleted' | 'link';
  /** The number of the reference's relation; null unless the change is a `link`. */
  readonly relation: number | null;
  readonly target_id: string | null;
  readonly target_type: string | null;
  /** 1 if the reference was removed, 0 if added; null unless the change is a `link`. */
  readonly removed: number | null;
  /** The names of the changed properties as JSON; null for all. */
  readonly changed: string | null;
}

/** The log of all changes that delta queries return, in the order of commits. */
export class ChangeLog {
  #isPaused = (): boolean => false;

  constructor(private readonly sql: Sql) {}

  /** Runs the body; changes are not logged while `hasNoReaders` returns true. */
  async pauseWhile<T>(hasNoReaders: () => boolean, body: () => Promise<T>): Promise<T> {
    this.#isPaused = hasNoReaders;
    try {
      return await body();
    } finally {
      this.#isPaused = () => false;
    }
  }

  /**
   * Logs that an object was created, changed or restored (`set`), deleted but restorable
   * (`changed`, the reason of `@removed` in delta answers), or removed permanently (`deleted`).
   *
   * @param properties the names of the changed properties; undefined for all.
   */
  async logObject(
    kind: 'set' | 'changed' | 'deleted',
    object: ChangedObject,
    changedAt: Date,
    properties?: readonly string[],
  ): Promise<void> {
    if (this.#isPaused()) return;
    const changed = properties === undefined ? null : JSON.stringify(properties);
    await this.sql.insert('directory_change', { ...changeRow(object, changedAt), kind, changed });
  }

  /** Logs that a reference was added or removed. */
  async logLink(
    source: ChangedObject,
    relation: Relation,
    target: ChangedObject,
    removed: boolean,
    changedAt: Date,
  ): Promise<void> {
    if (this.#isPaused()) return;
    const reference = {
      relation: relations[relation],
      target_id: target.id,
      target_type: target.type,
      removed: removed ? 1 : 0,
    };
    await this.sql.insert('directory_change', {
      ...changeRow(source, changedAt),
      kind: 'link',
      ...reference,
    });
  }

  /** The number of the latest change; 0 if there is none. */
  async latest(): Promise<number> {
    const row = await this.sql.first<{ seq: number | null }>(
      sql`select max(seq) as seq from directory_change`,
    );
    return row?.seq ?? 0;
  }

  /**
   * The numbers of a type's objects with changes after `from` and up to `upTo`, in ascending
   * order: a page of those above `afterNumber`.
   */
  async changedObjects(
    type: string,
    range: { from: number; upTo: number },
    afterNumber: number,
    limit: number,
  ): Promise<number[]> {
    const rows = await this.sql.query<{
      number: number;
    }>(sql`select distinct number from directory_change
      where type = ${type} and seq > ${range.from} and seq <= ${range.upTo} and number > ${afterNumber} order by number limit ${powerOfTwoLimit(limit)}`);
    return rows.slice(0, limit).map((row) => row.number);
  }

  /** The changes of one object in a range, in order. */
  changesOf(number: number, range: { from: number; upTo: number }): Promise<Change[]> {
    return this.sql
      .query<Change>(sql`select id, kind, relation, target_id, target_type, removed, changed from directory_change
      where number = ${number} and seq > ${range.from} and seq <= ${range.upTo} order by seq`);
  }

  /**
   * Removes entries that no valid token needs, but never the latest one: its number must not be
   * reused.
   */
  async prune(now: Date): Promise<void> {
    const before = new Date(now.getTime() - changesKeptForDays * 86_400_000).toISOString();
    await this.sql.run(
      sql`delete from directory_change where at < ${before} and seq < (select max(seq) from directory_change)`,
    );
  }
}

function changeRow(
  { number, id, type }: ChangedObject,
  changedAt: Date,
): { at: string; number: number; id: string; type: string } {
  return { at: changedAt.toISOString(), number, id, type };
}
