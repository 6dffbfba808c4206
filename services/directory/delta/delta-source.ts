import type { DirectoryRequest } from '../http/request.js';
import type { ObjectType } from '../kernel/object-type.js';
import type { StoredObject } from '../store/objects.js';
import { navigationName, type Relation } from '../store/relations.js';
import type { DeltaState } from './delta-token.js';
import { odataType, present } from '../kernel/present.js';

/** What a type's delta follows. */
export interface DeltaSource {
  readonly type: ObjectType;
  /** The references that are followed: all of them without `$select`, else those that it names. */
  readonly relations: readonly Relation[];
  /** Whether the caller may see the references of an object. @default everyone may */
  readonly mayFollow?: (request: DirectoryRequest, object: StoredObject) => Promise<boolean>;
}

/** One page of a delta round: entries, and where the next page begins. */
export interface DeltaPage {
  readonly value: readonly Record<string, unknown>[];
  readonly next?: DeltaState['round'];
}

/** How much one page of a delta holds. */
export const deltaLimits = { objects: 100, references: 1_000 } as const;

/** The relations that a delta follows: those that `$select` names, or all without it. */
export function followed(source: DeltaSource, state: DeltaState): readonly Relation[] {
  const { select } = state;
  return select === undefined ? source.relations : source.relations.filter((relation) => select.includes(navigationName[relation]));
}

/** An object's properties in a delta: always its id, and what `$select` names or the default ones. */
export function entryOf(request: DirectoryRequest, source: DeltaSource, state: DeltaState, object: StoredObject): Record<string, unknown> {
  const names = new Set<string>(source.relations.map((relation) => navigationName[relation]));
  const select = state.select?.filter((name) => !names.has(name));
  return { id: object.id, ...present(request.directory, object, select && { select }) };
}

/** The name under which changed references are shown: `members@delta`. */
export function deltaName(relation: Relation): string {
  return `${navigationName[relation]}@delta`;
}

/** A reference that exists. */
export function presentReference(request: DirectoryRequest, type: string, id: string): Record<string, unknown> {
  return { '@odata.type': odataType(request.directory, type), id };
}

/** A reference that is gone. */
export function removedReference(request: DirectoryRequest, type: string, id: string): Record<string, unknown> {
  return { ...presentReference(request, type, id), '@removed': { reason: 'deleted' } };
}
