import type { Relation } from './relations.js';
import { relations } from './relations.js';
import type { Sql } from './sql.js';

/** How long delta tokens live. */
export const changesKeptForDays = 7;

interface Changed {
  readonly number: number;
  readonly id: string;
  readonly type: string;
}

/** The log of everything that delta queries show, in the order of commits. */
export class ChangeLog {
  constructor(private readonly sql: Sql) {}

  /** Notes that an object was created, changed or restored (`set`), logically deleted (`changed`) or removed for good (`deleted`). */
  async object(kind: 'set' | 'changed' | 'deleted', object: Changed, at: Date): Promise<void> {
    await this.sql.run('insert into directory_change (at, number, id, type, kind) values (?, ?, ?, ?, ?)', [
      at.toISOString(),
      object.number,
      object.id,
      object.type,
      kind,
    ]);
  }

  /** Notes that a reference came or went. */
  async link(source: Changed, relation: Relation, target: Changed, removed: boolean, at: Date): Promise<void> {
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

  /** Forgets what no living token needs any more, but never the latest change: its number must not be given twice. */
  async prune(now: Date): Promise<void> {
    const before = new Date(now.getTime() - changesKeptForDays * 86_400_000).toISOString();
    await this.sql.run('delete from directory_change where at < ? and seq < (select max(seq) from directory_change)', [before]);
  }
}
