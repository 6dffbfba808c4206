import type { DirectoryRequest } from '../http/request.js';
import type { ObjectType } from '../kernel/object-type.js';
import { odataType, present } from '../kernel/presentation.js';
import type { StoredObject } from '../store/objects.js';
import { navigationName, type Relation } from '../store/relations.js';
import type { DeltaState, DeltaRound } from './delta-token.js';

/** The properties and relations in the delta of a type. */
export interface DeltaSource {
  readonly type: ObjectType;
  /** The followed relations: all of them without `$select`, otherwise the selected ones. */
  readonly relations: readonly Relation[];
  /** Whether the caller may see the references of an object. @default everyone may */
  readonly mayFollow?: (request: DirectoryRequest, object: StoredObject) => Promise<boolean>;
}

/** One page of a delta round: its entries, and the start of the next page. */
export interface DeltaPage {
  readonly value: readonly Record<string, unknown>[];
  /** Absent on the last page, which has a delta link instead. */
  readonly next?: DeltaRound;
}

/** The most ids in a delta query, and the most entries and references on a page. */
export const deltaLimits = { ids: 50, objects: 100, references: 1_000 } as const;

/** The relations that a delta follows: the selected ones, or all without `$select`. */
export function followedRelations(source: DeltaSource, state: DeltaState): readonly Relation[] {
  const { select } = state;
  return select === undefined
    ? source.relations
    : source.relations.filter((relation) => select.includes(navigationName(relation)));
}

/** An object's properties in a delta: the id, and the selected or default ones. */
export function presentObject(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  object: StoredObject,
): Record<string, unknown> {
  const relationNames = new Set<string>(
    source.relations.map((relation) => navigationName(relation)),
  );
  const select = state.select?.filter((name) => !relationNames.has(name));
  return { id: object.id, ...present(request.directory, object, { select }) };
}

/** The property for changed references: `members@delta`. */
export function deltaProperty(relation: Relation): string {
  return `${navigationName(relation)}@delta`;
}

/** An existing reference. */
export function presentReference(
  request: DirectoryRequest,
  type: string,
  id: string,
): Record<string, unknown> {
  return { '@odata.type': odataType(request.directory, type), id };
}
