import type { Body } from './objects.js';
import type { RecordStore, StoredRecord } from './records.js';

/** Records of one kind that name objects by their ids, such as grants. */
export interface ReferringRecords {
  /** The records that name an object. */
  list(objectId: string): Promise<readonly StoredRecord[]>;
  /** The ids of all objects that a record names. */
  objectIdsOf(body: Body): readonly unknown[];
  put(record: StoredRecord): Promise<unknown>;
  remove(record: StoredRecord): Promise<unknown>;
}

/** A record that was removed with an object. */
interface RemovedRecord {
  readonly kind: string;
  readonly record: StoredRecord;
}

/** `deleted`: can be restored; `gone`: permanently deleted. */
export type ObjectState = 'live' | 'deleted' | 'gone';

type ObjectStateLookup = (id: string) => Promise<ObjectState>;

/**
 * Removes the records that name a deleted object, and brings them back with it. Until then they are
 * stored as records of the deleted object, by kind.
 */
export class ReferringRecordStore {
  readonly #kinds = new Map<string, ReferringRecords>();

  constructor(private readonly records: RecordStore) {}

  /** Adds a kind of records. @param kind unique among the kinds, and the same in every version. */
  add(kind: string, records: ReferringRecords): void {
    this.#kinds.set(kind, records);
  }

  /** Removes the records that name an object. */
  async removeOf(objectId: string): Promise<readonly RemovedRecord[]> {
    const removedRecords: RemovedRecord[] = [];
    for (const [kind, referring] of this.#kinds)
      for (const record of await referring.list(objectId)) {
        await referring.remove(record);
        removedRecords.push({ kind, record });
      }
    return removedRecords;
  }

  /** Keeps removed records until an object is restored. */
  async keep(objectId: string, removedRecords: readonly RemovedRecord[]): Promise<void> {
    for (const { kind, record } of removedRecords)
      await this.records.put(collectionOf(kind), objectId, record.id, record.body);
  }

  /**
   * Brings back the records of a restored object. A record that names another deleted object stays
   * removed until that one is restored, too.
   *
   * @param stateOf tells live objects from deleted ones that can be restored, and from others.
   */
  async restoreOf(objectId: string, stateOf: ObjectStateLookup): Promise<void> {
    for (const [kind, referring] of this.#kinds)
      for (const record of await this.records.list(collectionOf(kind), objectId)) {
        await this.records.remove(collectionOf(kind), objectId, record.id);
        const absent = await firstAbsent(referring.objectIdsOf(record.body), stateOf);
        if (absent === undefined) await referring.put(record);
        else if (absent.state === 'deleted') await this.keep(absent.id, [{ kind, record }]);
      }
  }
}

function collectionOf(kind: string): string {
  return `deleted ${kind}`;
}

async function firstAbsent(
  ids: readonly unknown[],
  stateOf: ObjectStateLookup,
): Promise<{ readonly id: string; readonly state: ObjectState } | undefined> {
  for (const id of ids) {
    const state = typeof id === 'string' ? await stateOf(id) : 'live';
    if (state !== 'live') return { id: String(id).toLowerCase(), state };
  }
  return undefined;
}
