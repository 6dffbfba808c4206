import type { DirectoryRequest } from '../http/request.js';
import type { ObjectType } from '../kernel/object-type.js';
import type { StoredObject } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import type { DeltaState } from './delta-token.js';

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
