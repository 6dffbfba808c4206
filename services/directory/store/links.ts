import type { Clock } from '../../common/clock.js';
import type { ChangeLog } from './changes.js';
import { roundLimit, type Sql } from './sql.js';
import { objectColumns, type ObjectRow, pageSize, type StoredObject, toStoredObject } from './objects.js';
import { membershipRelations, type Relation, relations } from './relations.js';

/** Called for every reference that is added or removed, in the transaction that does it. */
export type LinkListener = (change: {
  readonly source: StoredObject;
  readonly relation: Relation;
  readonly target: StoredObject;
  readonly removed: boolean;
}) => Promise<void>;

const membership = membershipRelations.map((relation) => relations[relation]).join(', ');

/** The common table expression of everything that a number belongs to, directly and by nesting. Takes one parameter. */
export const belongsTo = `with recursive up(number) as (
  select source from directory_link where target = ? and relation in (${membership})
  union select l.source from up join directory_link l on l.target = up.number and l.relation in (${membership}))`;

/** References between live objects. Pages go by the number of the object at the other end. */
export class LinkStore {
  readonly #listeners: LinkListener[] = [];

  constructor(
    private readonly sql: Sql,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  listen(listener: LinkListener): void {
    this.#listeners.push(listener);
  }

  async has(source: { number: number }, relation: Relation, target: { number: number }): Promise<boolean> {
    const statement = 'select 1 as found from directory_link where source = ? and relation = ? and target = ?';
    return (await this.sql.get(statement, [source.number, relations[relation], target.number])) !== undefined;
  }

  /** @returns false when the reference stood already. */
  add(source: StoredObject, relation: Relation, target: StoredObject): Promise<boolean> {
    return this.sql.write(async () => {
      const statement = 'insert into directory_link (source, relation, target) values (?, ?, ?) on conflict do nothing';
      if ((await this.sql.run(statement, [source.number, relations[relation], target.number])) === 0) return false;
      await this.#notify(source, relation, target, false);
      return true;
    });
  }

  /** @returns false when there was no such reference. */
  remove(source: StoredObject, relation: Relation, target: StoredObject): Promise<boolean> {
    return this.sql.write(async () => {
      const statement = 'delete from directory_link where source = ? and relation = ? and target = ?';
      if ((await this.sql.run(statement, [source.number, relations[relation], target.number])) === 0) return false;
      await this.#notify(source, relation, target, true);
      return true;
    });
  }

  async count(source: { number: number }, relation: Relation): Promise<number> {
    const statement = 'select count(*) as count from directory_link where source = ? and relation = ?';
    const row = await this.sql.get<{ count: number | string }>(statement, [source.number, relations[relation]]);
    return Number(row?.count ?? 0);
  }

  /** The objects that a relation of the source leads to. */
  async targets(source: { number: number }, relation: Relation, after = 0, limit = 1000): Promise<StoredObject[]> {
    const statement = `select ${objectColumns} from directory_link l join directory_object o on o.number = l.target
      where l.source = ? and l.relation = ? and l.target > ? order by l.target limit ${roundLimit(limit)}`;
    return (await this.sql.all<ObjectRow>(statement, [source.number, relations[relation], after])).slice(0, limit).map(toStoredObject);
  }

  /** All of them, some at a time. */
  async *allTargets(source: { number: number }, relation: Relation): AsyncGenerator<StoredObject> {
    for (let after = 0; ;) {
      const page = await this.targets(source, relation, after, pageSize);
      yield* page;
      if (page.length < pageSize) return;
      after = page.at(-1)?.number ?? after;
    }
  }

  /** The objects whose relation leads to the target. */
  async sources(target: { number: number }, relation: Relation, after = 0, limit = 1000): Promise<StoredObject[]> {
    const statement = `select ${objectColumns} from directory_link l join directory_object o on o.number = l.source
      where l.target = ? and l.relation = ? and l.source > ? order by l.source limit ${roundLimit(limit)}`;
    return (await this.sql.all<ObjectRow>(statement, [target.number, relations[relation], after])).slice(0, limit).map(toStoredObject);
  }

  /** Whether `inner` lies inside `outer`, at any depth. */
  async isInside(inner: { number: number }, outer: { number: number }): Promise<boolean> {
    const statement = `${belongsTo} select 1 as found from up where number = ? limit 1`;
    return (await this.sql.get(statement, [inner.number, outer.number])) !== undefined;
  }

  async #notify(source: StoredObject, relation: Relation, target: StoredObject, removed: boolean): Promise<void> {
    await this.changes.link(source, relation, target, removed, this.clock.now());
    for (const listener of this.#listeners) await listener({ source, relation, target, removed });
  }
}
