import { sql } from 'kysely';
import type { Clock } from '../../common/clock.js';
import type { ChangeLog } from './changes.js';
import { type Fragment, powerOfTwoLimit, type Sql } from './sql.js';
import { batchSize, readObjects, type StoredObject } from './objects.js';
import { membershipRelations, type Relation, relations } from './relations.js';

/** Called for every added or removed reference, in its transaction. */
export type LinkListener = (change: {
  readonly source: StoredObject;
  readonly relation: Relation;
  readonly target: StoredObject;
  readonly isRemoval: boolean;
}) => Promise<void>;

/** The stored numbers of relations, as a list in a statement. */
export function relationNumbers(names: readonly Relation[]): Fragment {
  return sql.join(names.map((name) => sql.lit(relations[name])));
}

const membershipNumbers = relationNumbers(membershipRelations);

/**
 * The common table expression `containing(number)`: the objects that an object is in, transitively.
 *
 * @param number the object's number.
 */
export function containingObjectsTable(number: number): Fragment {
  return sql`with recursive containing(number) as (
    select source from directory_link where target = ${number} and relation in (${membershipNumbers})
    union select l.source from containing join directory_link l on l.target = containing.number and l.relation in (${membershipNumbers}))`;
}

interface NumberedRow {
  readonly number: number;
}

/** References between objects that are not deleted. Pages are by the number of the other object. */
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

  async has(source: NumberedRow, relation: Relation, target: NumberedRow): Promise<boolean> {
    return (
      (await this.sql.first(
        sql`select 1 as found from directory_link where ${whereReference(source, relation, target)}`,
      )) !== undefined
    );
  }

  /** @returns false if the reference exists already. */
  add(source: StoredObject, relation: Relation, target: StoredObject): Promise<boolean> {
    return this.sql.transaction(async () => {
      const row = { source: source.number, relation: relations[relation], target: target.number };
      if ((await this.sql.insert('directory_link', row, sql`on conflict do nothing`)) === 0)
        return false;
      await this.#notify(source, relation, target, false);
      return true;
    });
  }

  /** @returns false if there was no such reference. */
  remove(source: StoredObject, relation: Relation, target: StoredObject): Promise<boolean> {
    return this.sql.transaction(async () => {
      if (
        (await this.sql.run(
          sql`delete from directory_link where ${whereReference(source, relation, target)}`,
        )) === 0
      )
        return false;
      await this.#notify(source, relation, target, true);
      return true;
    });
  }

  count({ number }: NumberedRow, relation: Relation): Promise<number> {
    return this.sql.count(
      sql`select count(*) as count from directory_link where source = ${number} and relation = ${relations[relation]}`,
    );
  }

  /** The objects that a relation of the source points to. */
  async targets(
    { number }: NumberedRow,
    relation: Relation,
    afterNumber = 0,
    limit = 1000,
  ): Promise<StoredObject[]> {
    const objects = await readObjects(
      this.sql,
      sql`directory_link l join directory_object o on o.number = l.target where l.source = ${number}
        and l.relation = ${relations[relation]} and l.target > ${afterNumber} order by l.target limit ${powerOfTwoLimit(limit)}`,
    );
    return objects.slice(0, limit);
  }

  /** All objects that a relation of the source points to, read in batches. */
  async *allTargets(source: NumberedRow, relation: Relation): AsyncGenerator<StoredObject> {
    for (let after = 0; ;) {
      const page = await this.targets(source, relation, after, batchSize);
      yield* page;
      if (page.length < batchSize) return;
      after = page.at(-1)?.number ?? after;
    }
  }

  /** The objects whose relation points to the target. */
  sources({ number }: NumberedRow, relation: Relation): Promise<StoredObject[]> {
    return readObjects(
      this.sql,
      sql`directory_link l join directory_object o on o.number = l.source
        where l.target = ${number} and l.relation = ${relations[relation]} order by l.source limit 1000`,
    );
  }

  /** Whether an object is a member of a group, unit or role, directly or by groups in between. */
  async isTransitiveMember(member: NumberedRow, container: NumberedRow): Promise<boolean> {
    const query = sql`${containingObjectsTable(member.number)} select 1 as found from containing where number = ${container.number} limit 1`;
    return (await this.sql.first(query)) !== undefined;
  }

  async #notify(
    source: StoredObject,
    relation: Relation,
    target: StoredObject,
    isRemoval: boolean,
  ): Promise<void> {
    await this.changes.logLink(source, relation, target, isRemoval, this.clock.now());
    for (const listener of this.#listeners) await listener({ source, relation, target, isRemoval });
  }
}

function whereReference(source: NumberedRow, relation: Relation, target: NumberedRow): Fragment {
  return sql`source = ${source.number} and relation = ${relations[relation]} and target = ${target.number}`;
}
