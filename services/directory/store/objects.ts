import { sql } from 'kysely';
import type { Clock } from '../../common/clock.js';
import { foldCase, searchableWords } from '../odata/index.js';
import type { ChangeLog } from './changes.js';
import { type Fragment, pagingNumber, powerOfTwoLimit, type Sql, type SqlValue } from './sql.js';

/** An object's properties without its id, as stored. */
export type Body = Readonly<Record<string, unknown>>;

/** A live object as stored. */
export interface StoredObject {
  /** Its position in the order of creation, by which lists are paged and links refer to it. */
  readonly number: number;
  readonly id: string;
  /** The name of its type: `group`. */
  readonly type: string;
  /** 1 at first, one more when it is saved or restored; the ETag contains it. */
  readonly version: number;
  readonly body: Body;
}

/** The indexed lookup values of an object, from its body; the store folds text to lower case. */
export interface LookupValues {
  readonly displayName?: unknown;
  readonly mail?: unknown;
  readonly mailNickname?: unknown;
  readonly userPrincipalName?: unknown;
  readonly uniqueName?: unknown;
  readonly appId?: unknown;
  /** One more lookup value chosen by the type, such as a device's deviceId. */
  readonly alternateKey?: unknown;
}

/** The store's options for a type of objects. */
export interface StoredType {
  /** `group`: the type's name. */
  readonly name: string;
  /** Whether a deleted object can be restored for 30 days. Otherwise it is removed permanently. */
  readonly softDelete: boolean | ((body: Body) => boolean);
  /**
   * Lookup values besides displayName, mail, mailNickname, userPrincipalName, uniqueName and appId
   * of the body: with `{ alternateKey: body['deviceId'] }` the index of the column `alternate_key`
   * finds a device by this id.
   */
  readonly lookupValues?: (body: Body) => LookupValues;
}

/** The types of objects, by name. */
export interface StoredTypes {
  /** Throws for an unknown name. */
  get(name: string): StoredType;
}

/** A row that `toStoredObject` accepts. */
export interface ObjectRow {
  readonly number: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  /** The properties as JSON. */
  readonly body: string;
}

/** Parses the body of a row. */
export function toStoredObject({ number, id, type, version, body }: ObjectRow): StoredObject {
  return { number, id, type, version, body: JSON.parse(body) as Body };
}

/** The columns of {@link ObjectRow}, for statements that read objects. */
export const objectColumns = sql`o.number, o.id, o.type, o.version, o.body`;

/** Reads live objects. @param from SQL after `from`; must include `directory_object o`. */
export async function readObjects(database: Sql, from: Fragment): Promise<StoredObject[]> {
  return (await database.query<ObjectRow>(sql`select ${objectColumns} from ${from}`)).map(
    toStoredObject,
  );
}

/** The lookup columns that {@link ObjectStore.findBy} supports. */
export type LookupColumn =
  | 'display_name'
  | 'mail'
  | 'mail_nickname'
  | 'user_principal_name'
  | 'unique_name'
  | 'app_id'
  | 'alternate_key';

/** Called for every change, in its transaction; may make more changes. */
export interface ObjectListener {
  /** Created, changed or restored; `before` is undefined for a new object. */
  afterSave?(object: StoredObject, before: Body | undefined): Promise<void>;
  /** About to be deleted; its references are still stored. */
  beforeRemoval?(object: StoredObject): Promise<void>;
  /** Restored with its references; called after `afterSave`. */
  afterRestore?(object: StoredObject): Promise<void>;
  /** Deleted, with its references. */
  afterRemoval?(object: StoredObject): Promise<void>;
}

/** The batch size for reading all objects. */
export const batchSize = 1_000;

/** Live directory objects of all types. Ids are compared in lower case. */
export class ObjectStore {
  readonly #listeners: ObjectListener[] = [];

  constructor(
    private readonly sql: Sql,
    private readonly types: StoredTypes,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  listen(listener: ObjectListener): void {
    this.#listeners.push(listener);
  }

  async get(id: string): Promise<StoredObject | undefined> {
    return (
      await readObjects(this.sql, sql`directory_object o where o.id = ${id.toLowerCase()}`)
    )[0];
  }

  async getByNumber(number: number): Promise<StoredObject | undefined> {
    return (await readObjects(this.sql, sql`directory_object o where o.number = ${number}`))[0];
  }

  /** An object of one type; undefined also for an id of another type. */
  async getOfType(type: string, id: string): Promise<StoredObject | undefined> {
    const object = await this.get(id);
    return object?.type === type ? object : undefined;
  }

  /** The objects of a type with this lookup value, in any letter case, in the order of creation. */
  findBy(type: string, column: LookupColumn, value: string): Promise<StoredObject[]> {
    const equal = sql`${sql.ref(`o.${column}`)} = ${foldCase(value)}`;
    return readObjects(
      this.sql,
      sql`directory_object o where o.type = ${type} and ${equal} order by o.number limit 1000`,
    );
  }

  /** Objects of a type after a number, in the order of creation. */
  async page(type: string, afterNumber: number, limit: number): Promise<StoredObject[]> {
    const numberColumn = pagingNumber(this.sql.engine);
    const condition = sql`o.type = ${type} and ${numberColumn} > ${afterNumber} order by ${numberColumn} limit ${powerOfTwoLimit(limit)}`;
    return (await readObjects(this.sql, sql`directory_object o where ${condition}`)).slice(
      0,
      limit,
    );
  }

  /** All objects of a type in batches, in the order of creation. */
  async *allOfType(type: string): AsyncGenerator<StoredObject> {
    for (let after = 0; ;) {
      const page = await this.page(type, after, batchSize);
      yield* page;
      if (page.length < batchSize) return;
      after = page.at(-1)?.number ?? after;
    }
  }

  /** Stores a new object. The caller has checked that the id is free. */
  create(type: StoredType, id: string, body: Body): Promise<StoredObject> {
    return this.sql.transaction(async () => {
      const key = id.toLowerCase();
      const row = {
        id: key,
        type: type.name,
        version: 1,
        ...lookupColumns(type, body),
        body: JSON.stringify(body),
      };
      await this.sql.insert('directory_object', row);
      const object = (await this.get(key)) as StoredObject;
      await this.changes.logObject('set', object, this.clock.now());
      for (const listener of this.#listeners) await listener.afterSave?.(object, undefined);
      return object;
    });
  }

  /**
   * Replaces an object's body. `silent` changes do not appear in delta answers (properties outside
   * the main store).
   */
  save(object: StoredObject, body: Body, options: { silent?: true } = {}): Promise<StoredObject> {
    return this.sql.transaction(async () => {
      const row = {
        ...lookupColumns(this.types.get(object.type), body),
        body: JSON.stringify(body),
      };
      const assignments = Object.entries(row).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      );
      await this.sql.run(
        sql`update directory_object set version = version + 1, ${sql.join(assignments)} where number = ${object.number}`,
      );
      const savedObject = { ...object, version: object.version + 1, body };
      const changedProperties = changedNames(object.body, body);
      if (!options.silent && changedProperties.length > 0)
        await this.changes.logObject('set', savedObject, this.clock.now(), changedProperties);
      for (const listener of this.#listeners) await listener.afterSave?.(savedObject, object.body);
      return savedObject;
    });
  }

  /**
   * Changes an object by a function of its current state: read and write are in one transaction, so
   * no concurrent change is lost.
   *
   * @returns undefined if the object is gone.
   */
  change(
    id: string,
    change: (current: StoredObject) => Body | Promise<Body>,
  ): Promise<StoredObject | undefined> {
    return this.sql.transaction(async () => {
      const current = await this.get(id);
      return current && this.save(current, await change(current));
    });
  }

  /**
   * Deletes the row and notifies the listeners; called by `ObjectDeletion`, which handles
   * references and restorable objects.
   */
  async remove(object: StoredObject): Promise<void> {
    for (const listener of this.#listeners) await listener.beforeRemoval?.(object);
    await this.sql.run(sql`delete from directory_object where number = ${object.number}`);
  }

  /** Notifies the listeners that an object and its references are gone. */
  async notifyRemoved(object: StoredObject): Promise<void> {
    for (const listener of this.#listeners) await listener.afterRemoval?.(object);
  }

  /**
   * Restores a deleted object under its number and id. Its version increases: no earlier state may
   * have the same ETag.
   */
  async restore(deleted: StoredObject): Promise<StoredObject> {
    const object = { ...deleted, version: deleted.version + 1 };
    const { number, id, type, version, body } = object;
    const lookups = lookupColumns(this.types.get(type), body);
    await this.sql.insert('directory_object', {
      number,
      id,
      type,
      version,
      ...lookups,
      body: JSON.stringify(body),
    });
    await this.changes.logObject('set', object, this.clock.now());
    return object;
  }

  /** Notifies the listeners of a restored object, after its references. */
  async notifyRestored(object: StoredObject): Promise<void> {
    for (const listener of this.#listeners) await listener.afterSave?.(object, undefined);
    for (const listener of this.#listeners) await listener.afterRestore?.(object);
  }
}

/** The lookup columns of a type's objects, with their values. */
export function lookupColumns(type: StoredType, body: Body): Readonly<Record<string, SqlValue>> {
  const values: LookupValues = { ...body, alternateKey: undefined, ...type.lookupValues?.(body) };
  const foldText = (value: unknown): string | null =>
    typeof value === 'string' ? foldCase(value) : null;
  return {
    display_name: foldCase(textOrEmpty(values.displayName)),
    mail: foldText(values.mail),
    mail_nickname: foldText(values.mailNickname),
    user_principal_name: foldText(values.userPrincipalName),
    unique_name: foldText(values.uniqueName),
    app_id: foldText(values.appId),
    alternate_key: foldText(values.alternateKey),
    expires_at: typeof body['expirationDateTime'] === 'string' ? body['expirationDateTime'] : null,
    display_name_words: searchableWords(textOrEmpty(values.displayName)),
    description_words: searchableWords(textOrEmpty(body['description'])),
  };
}

/** The names of the properties that differ between two bodies. */
function changedNames(before: Body, after: Body): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter(
    (name) =>
      before[name] !== after[name] &&
      JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
