import { roundLimit, type Sql } from './sql.js';
import { type Relation, relations } from './relations.js';

/** How long delta tokens live. */
export const changesKeptForDays = 7;

interface Changed {
  readonly number: number;
  readonly id: string;
  readonly type: string;
}

/** One line of the log. */
export interface Change {
  readonly id: string;
  readonly kind: 'set' | 'changed' | 'deleted' | 'link';
  readonly relation: number | null;
  readonly target_id: string | null;
  readonly target_type: string | null;
  readonly removed: number | null;
  /** The names of the changed properties as JSON; null: all. */
  readonly changed: string | null;
}

/** The log of everything that delta queries show, in the order of commits. */
export class ChangeLog {
  #paused = (): boolean => false;

  constructor(private readonly sql: Sql) {}

  /** Notes nothing of what the body does as long as `nobodyAsks`: for what is there before anybody can follow the changes. */
  async pausedWhile<T>(nobodyAsks: () => boolean, body: () => Promise<T>): Promise<T> {
    this.#paused = nobodyAsks;
    try {
      return await body();
    } finally {
      this.#paused = () => false;
    }
  }

  /**
   * Notes that an object was created, changed or restored (`set`), logically deleted (`changed`) or removed for good (`deleted`).
   *
   * @param properties the names of what changed; undefined: everything.
   */
  async object(kind: 'set' | 'changed' | 'deleted', object: Changed, at: Date, properties?: readonly string[]): Promise<void> {
    if (this.#paused()) return;
    await this.sql.run('insert into directory_change (at, number, id, type, kind, changed) values (?, ?, ?, ?, ?, ?)', [
      at.toISOString(),
      object.number,
      object.id,
      object.type,
      kind,
      properties === undefined ? null : JSON.stringify(properties),
    ]);
  }

  /** Notes that a reference came or went. */
  async link(source: Changed, relation: Relation, target: Changed, removed: boolean, at: Date): Promise<void> {
    if (this.#paused()) return;
    await this.sql.run(
      `insert into directory_change (at, number, id, type, kind, relation, target_id, target_type, removed)
       values (?, ?, ?, ?, 'link', ?, ?, ?, ?)`,
      [at.toISOString(), source.number, source.id, source.type, relations[relation], target.id, target.type, removed ? 1 : 0],
    );
  }

  /** The number of the latest change; 0 when there is none yet. */
  async latest(): Promise<number> {
    const row = await this.sql.get<{ seq: number | null }>('select max(seq) as seq from directory_change');
    return row?.seq ?? 0;
  }

  /** The numbers of the objects of a type with changes after `from` and up to `upTo`; pages go by the number. */
  async changedObjects(type: string, range: { from: number; upTo: number }, after: number, limit: number): Promise<number[]> {
    const statement = `select distinct number from directory_change
      where type = ? and seq > ? and seq <= ? and number > ? order by number limit ${roundLimit(limit)}`;
    const rows = await this.sql.all<{ number: number }>(statement, [type, range.from, range.upTo, after]);
    return rows.slice(0, limit).map((row) => row.number);
  }

  /** The changes of one object in a range, in their order. */
  changesOf(number: number, range: { from: number; upTo: number }): Promise<Change[]> {
    const statement = `select id, kind, relation, target_id, target_type, removed, changed from directory_change
      where number = ? and seq > ? and seq <= ? order by seq`;
    return this.sql.all<Change>(statement, [number, range.from, range.upTo]);
  }

  /** Forgets what no living token needs any more, but never the latest change: its number must not be given twice. */
  async prune(now: Date): Promise<void> {
    const before = new Date(now.getTime() - changesKeptForDays * 86_400_000).toISOString();
    await this.sql.run('delete from directory_change where at < ? and seq < (select max(seq) from directory_change)', [before]);
  }
}
