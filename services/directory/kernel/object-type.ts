import type { Caller } from '../../common/caller.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import type { QueryRules } from '../odata/index.js';
import type { Body, LookupColumn, StoredObject, StoredType } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import type { Stores } from '../store/stores.js';
import type { TSchema } from '@sinclair/typebox';
import { factsOf } from '../../../kinds/schema/facts.js';
import type { Kind } from '../../../kinds/schema/kind.js';

/** When a property is part of an answer. */
export type Returned =
  /** Without being asked for. */
  | 'default'
  /** When `$select` names it. */
  | 'select'
  /** When `$select` names it and a single object is read; in a list's `$select` it is refused. */
  | 'single'
  /** Never. */
  | 'never';

/** One property of an object type. */
export interface Property {
  readonly type: 'string' | 'boolean' | 'integer' | 'dateTime' | 'guid' | 'object' | 'strings' | 'objects' | 'any';
  readonly returned: Returned;
  /** What an answer holds where nothing is stored. @default null, and an empty list for collections */
  readonly absent?: unknown;
  /** Only the service sets it. */
  readonly readOnly?: true;
  /** Whether null is refused. */
  readonly notNull?: true;
}

/** Who asks for an object, and the stores it is looked up in. */
export interface Asking {
  readonly caller: Caller;
  readonly directory: Stores;
}

/** What a reference may lead to. */
export interface ReferenceRules {
  /** The types that may be referred to. @default all */
  readonly targets?: readonly string[];
  /** How many there may be. @default any number */
  readonly most?: number;
  /** Holds a new reference against further rules, inside the transaction. */
  readonly check?: (directory: Stores, source: StoredObject, target: StoredObject) => Promise<void> | void;
}

/** A navigation property that `$expand` and `$filter` (`owners/$count`) may use. */
export type Navigation =
  /** References: `out` to what the object points at (members of a group), `in` from what points at it (memberOf). */
  | {
      readonly relations: readonly Relation[];
      readonly direction: 'out' | 'in';
      /** At most one object, shown as such and not as a list. */
      readonly single?: true;
      /** Whether the caller may see these references of an object. @default everyone may */
      readonly mayFollow?: (asking: Asking, object: StoredObject) => Promise<boolean>;
      /** Has the type's standard operations list, add and remove the references of the first relation, by these rules. */
      readonly references?: ReferenceRules;
    }
  /** Things that aren't directory objects, such as app role assignments. */
  | { readonly read: (directory: Stores, object: StoredObject) => Promise<readonly unknown[]> };

/** A type of directory objects: what the kernel must know to store, find and show them. */
export interface ObjectType extends StoredType {
  /** `group`: the type's name in `@odata.type`, without namespace. */
  readonly name: string;
  /** `groups`: the entity set in paths and contexts. */
  readonly collection: string;
  /** The properties in the order of an answer. `id` is not among them: the kernel adds it. */
  readonly properties: Readonly<Record<string, Property>>;
  /** What queries may ask of it. */
  readonly queryRules: QueryRules;
  readonly navigations?: Readonly<Record<string, Navigation>>;
  /** Relationships that a body can bind (`owners@odata.bind`). @default none */
  readonly binds?: readonly string[];
  /** Permissions of which a caller needs one to see more of such an object in a mixed list than its type and id. */
  readonly readPermissions: readonly string[];
  /** Takes and gives back properties it doesn't know (open type, neutral dialect). */
  readonly open?: boolean;
  /** Alternate keys, and the columns by which they are found: `{ appId: 'app_id' }`. */
  readonly keys?: Readonly<Record<string, LookupColumn>>;
  /** The alternate key that a path may give instead of an id. */
  readonly nameKey?: string;
  /** Properties that `alternate_key` holds, so that filters use its index: `{ deviceId: 'o.alternate_key' }`. */
  readonly lookupColumns?: Readonly<Record<string, string>>;
  /** Permissions of which a caller needs one to write, restore or purge such an object. */
  readonly writePermissions: readonly string[];
  /** Directory roles of which a signed-in user needs one for the same. */
  readonly writeRoles: readonly DirectoryRole[];
  /** Whether a deleted object can come back. @throws DirectoryError 400 when its names are taken meanwhile. */
  readonly checkRestore?: (directory: Stores, object: Body) => Promise<void>;
  /** Values that aren't stored but worked out when `$select` names them; no default properties. */
  readonly computed?: (body: Body, id: string, now: Date) => Readonly<Record<string, unknown>>;
}

/** All object types of the service by name. */
export class ObjectTypes {
  readonly #byName = new Map<string, ObjectType>();
  readonly #byCollection = new Map<string, ObjectType>();

  add(type: ObjectType): void {
    this.#byName.set(type.name.toLowerCase(), type);
    this.#byCollection.set(type.collection.toLowerCase(), type);
  }

  /** By type name, letter case ignored. */
  find(name: string): ObjectType | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /** By entity set, letter case ignored. */
  findByCollection(collection: string): ObjectType | undefined {
    return this.#byCollection.get(collection.toLowerCase());
  }

  /** @throws Error for a name that was never added: a defect of this service. */
  get(name: string): ObjectType {
    const type = this.find(name);
    if (type === undefined) throw new Error(`no object type ${name}`);
    return type;
  }

  all(): Iterable<ObjectType> {
    return this.#byName.values();
  }
}

/** The properties of an object type, as the description of its kind has them. */
export function describedProperties({ inApi }: Pick<Kind, 'inApi'>): Readonly<Record<string, Property>> {
  return Object.fromEntries(Object.entries(inApi).map(([name, schema]) => [name, propertyOf(schema)]));
}

function propertyOf(schema: TSchema): Property {
  const { returned, outsideStore, notNull, readOnly, absent } = factsOf(schema);
  const value: unknown = outsideStore === true && absent === undefined ? schema.default : absent;
  return {
    type: typeOf(schema),
    returned: returned ?? (outsideStore === true ? 'single' : 'default'),
    ...(value === undefined ? {} : { absent: value }),
    ...(readOnly === true ? { readOnly } : {}),
    ...(notNull === true ? { notNull } : {}),
  };
}

function typeOf(schema: TSchema): Property['type'] {
  const { type, format, items } = schema as {
    readonly type?: string;
    readonly format?: string;
    readonly items?: { readonly type?: string };
  };
  if (factsOf(schema).joinedBy !== undefined) return 'string';
  if (type === 'array') return items?.type === 'object' ? 'objects' : 'strings';
  if (format === 'date-time') return 'dateTime';
  return type === 'string' || type === 'boolean' || type === 'integer' || type === 'object' ? type : 'any';
}
