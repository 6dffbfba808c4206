import { sql } from 'kysely';
import type { Fragment } from '../store/sql.js';
import type { Source } from '../kernel/collection.js';
import type { ObjectType } from '../kernel/object-type.js';
import { membershipRelations, type Relation, relations } from '../store/relations.js';

const numbers = (names: readonly Relation[]): Fragment => sql.raw(names.map((name) => relations[name]).join(', '));

/** The objects that an object's references lead to (members, owners). */
export function targetsOf(number: number, relation: Relation, type?: ObjectType): Source {
  return {
    from: sql`directory_link l join directory_object o on o.number = l.target`,
    where: sql`l.source = ${number} and l.relation = ${sql.lit(relations[relation])}${ofType(type)}`,
    number: sql`l.target`,
  };
}

/** The objects whose references lead here (memberOf, ownedObjects). */
export function sourcesOf(number: number, names: readonly Relation[], type?: ObjectType): Source {
  return {
    from: sql`directory_link l join directory_object o on o.number = l.source`,
    where: sql`l.target = ${number} and l.relation in (${numbers(names)})${ofType(type)}`,
    number: sql`l.source`,
  };
}

/** Everything in a group, directly and by nesting. */
export function insideOf(number: number, type?: ObjectType): Source {
  const members = sql.lit(relations.members);
  return {
    with: sql`with recursive down(number) as (
      select target from directory_link where source = ${number} and relation = ${members}
      union select l.target from down join directory_link l on l.source = down.number and l.relation = ${members})`,
    from: sql`directory_object o`,
    among: 'down',
    ...(type && { where: sql`o.type = ${type.name}` }),
  };
}

/** Everything an object belongs to, directly and by nesting. */
export function outsideOf(number: number, type?: ObjectType): Source {
  const membership = numbers(membershipRelations);
  return {
    with: sql`with recursive up(number) as (
      select source from directory_link where target = ${number} and relation in (${membership})
      union select l.source from up join directory_link l on l.target = up.number and l.relation in (${membership}))`,
    from: sql`directory_object o`,
    among: 'up',
    ...(type && { where: sql`o.type = ${type.name}` }),
  };
}

function ofType(type: ObjectType | undefined): Fragment {
  return type ? sql` and o.type = ${type.name}` : sql``;
}
