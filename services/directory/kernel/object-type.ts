import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Caller } from '../../common/caller.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import type { QueryRules } from '../odata/index.js';
import type { Body, LookupColumn, StoredObject, StoredType } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import type { Stores } from '../store/stores.js';
import type { TSchema } from '@sinclair/typebox';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import type { Kind } from '../../../kinds/schema/kind.js';

/** When an answer contains a property. */
export type ReturnedWhen =
  /** By default. */
  | 'default'
  /** When `$select` names it. */
  | 'select'
  /** When `$select` names it and a single object is read; lists refuse it in `$select`. */
  | 'single'
  /** Never. */
  | 'never';

/** One property of an object type. */
export interface Property {
  /** `strings` and `objects` are lists; `any` is a value of any other type. */
  readonly type:
    | 'string'
    | 'boolean'
    | 'integer'
    | 'dateTime'
    | 'guid'
    | 'object'
    | 'strings'
    | 'objects'
    | 'any';
  readonly returned: ReturnedWhen;
  /**
   * The value in answers when nothing is stored.
   *
   * @default null, and an empty list for collections
   */
  readonly valueWhenAbsent?: unknown;
  /** Only the service sets it: bodies that contain it are refused. */
  readonly readOnly?: true;
  /** Null is refused. */
  readonly notNull?: true;
}

/** Who reads an object, and the stores to look up whether they may. */
export interface ReadContext {
  readonly caller: Caller;
  readonly directory: Stores;
}

/** The rules of a reference's target. */
export interface ReferenceRules {
  /** The allowed types. @default all */
  readonly targetTypes?: readonly string[];
  /** The maximum number of references. @default unlimited */
  readonly maximum?: number;
  /**
   * Checks, in the transaction of a change, that requests may change the references of an object.
   *
   * @throws DirectoryError when they may not.
   */
  readonly requireChangeable?: (source: StoredObject) => void;
  /**
   * Checks further rules for a reference from source to target before it is added, in the
   * transaction.
   *
   * @throws DirectoryError when they don't allow it.
   */
  readonly checkNewReference?: (
    directory: Stores,
    source: StoredObject,
    target: StoredObject,
  ) => Promise<void> | void;
}

/** A navigation property for `$expand` and `$filter` (`owners/$count`). */
export type Navigation =
  /**
   * References: `out` to the objects that this one points at (members of a group), `in` from those
   * that point at it (memberOf).
   */
  | {
      readonly relations: readonly Relation[];
      readonly direction: 'out' | 'in';
      /** Single-valued: returned as an object, not a list. */
      readonly single?: true;
      /** Whether the caller may see these references of an object. @default everyone may */
      readonly mayFollow?: (context: ReadContext, object: StoredObject) => Promise<boolean>;
      /**
       * Adds the standard operations list, add and remove for the first relation, with these rules.
       */
      readonly references?: ReferenceRules;
    }
  /** Items that are not directory objects, such as app role assignments. */
  | { readonly read: (directory: Stores, object: StoredObject) => Promise<readonly unknown[]> };

/** A type of directory objects: everything that the kernel needs to store, find and return them. */
export interface ObjectType extends StoredType {
  /** `group`: the type's name in `@odata.type`, without namespace. */
  readonly name: string;
  /** `groups`: the entity set in paths and contexts. */
  readonly collection: string;
  /** The properties in the order of an answer, without `id`, which the kernel adds. */
  readonly properties: Readonly<Record<string, Property>>;
  /** The query rules. */
  readonly queryRules: QueryRules;
  /** By the name of the navigation property. */
  readonly navigations?: Readonly<Record<string, Navigation>>;
  /** Relationships that a body can bind (`owners@odata.bind`). @default none */
  readonly binds?: readonly string[];
  /**
   * Permissions of which a caller needs one to see more than type and id of such an object in a
   * mixed list.
   */
  readonly readPermissions: readonly string[];
  /** Stores and returns unknown properties (open type, neutral dialect). */
  readonly isOpenType?: boolean;
  /** Alternate keys with their columns: `{ appId: 'app_id' }`. */
  readonly alternateKeys?: Readonly<Record<string, LookupColumn>>;
  /** The alternate key whose bare value a path may contain instead of an id: `/users/ada@…`. */
  readonly keyInPath?: string;
  /**
   * The columns with an index in which filters find the properties that `lookupValues` puts there:
   * `{ deviceId: 'o.alternate_key' }`.
   */
  readonly filterColumns?: Readonly<Record<string, string>>;
  /** Permissions of which a caller needs one to write, restore or purge such an object. */
  readonly writePermissions: readonly string[];
  /** Permissions that suffice to delete, restore and purge such an object. @default none */
  readonly deletePermissions?: readonly string[];
  /** Directory roles of which a signed-in user needs one for the same operations. */
  readonly writeRoles: readonly DirectoryRole[];
  /**
   * Checks the directory roles of a caller who restores or purges an object.
   *
   * @default one of `writeRoles` is needed
   * @throws DirectoryError 403.
   */
  readonly authorizeRestore?: (caller: Caller, object: Body) => void;
  /**
   * Checks whether a deleted object can be restored, besides its alternate keys.
   *
   * @throws DirectoryError 400 when its names are taken.
   */
  readonly checkRestore?: (directory: Stores, object: Body) => Promise<void>;
  /** Values that are computed when `$select` names them; never returned by default. */
  readonly computed?: (body: Body, id: string, now: Date) => Readonly<Record<string, unknown>>;
}

/** All object types of the service, found by type name or by entity set. */
export class ObjectTypes {
  readonly #byName = new Map<string, ObjectType>();
  readonly #byCollection = new Map<string, ObjectType>();
  /** Names of properties and relationships, by the name in lower case. */
  readonly #declaredNames = new Map<string, string>();

  add(type: ObjectType): void {
    this.#byName.set(type.name.toLowerCase(), type);
    this.#byCollection.set(type.collection.toLowerCase(), type);
    for (const name of namesIn(type)) this.#declaredNames.set(name.toLowerCase(), name);
  }

  /**
   * The name of a property or relationship as the types declare it; a name that none has as it is.
   */
  declaredName(name: string): string {
    return this.#declaredNames.get(name.toLowerCase()) ?? name;
  }

  /** By type name, letter case ignored. */
  find(name: string): ObjectType | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /** By entity set, letter case ignored. */
  findByCollection(collection: string): ObjectType | undefined {
    return this.#byCollection.get(collection.toLowerCase());
  }

  /** @throws Error for an unknown name: a bug in this service. */
  get(name: string): ObjectType {
    const type = this.find(name);
    if (type === undefined) throw new Error(`no object type ${name}`);
    return type;
  }

  all(): Iterable<ObjectType> {
    return this.#byName.values();
  }
}

/** The names that queries of a type may use. */
function namesIn({ properties, navigations = {}, queryRules }: ObjectType): readonly string[] {
  const inRules = (rules: QueryRules['properties']): readonly string[] =>
    Object.entries(rules).flatMap(([name, { innerProperties = {} }]) => [
      name,
      ...inRules(innerProperties),
    ]);
  return [
    'id',
    ...Object.keys(properties),
    ...Object.keys(navigations),
    ...inRules(queryRules.properties),
  ];
}

/** The properties of an object type, from the description of its kind. */
export function propertiesOfKind({
  inApi,
}: Pick<Kind, 'inApi'>): Readonly<Record<string, Property>> {
  return Object.fromEntries(
    Object.entries(inApi).map(([name, schema]) => [name, propertyOf(schema)]),
  );
}

function propertyOf(schema: TSchema): Property {
  const { returned, outsideMainStore, nonNullable, readOnly, valueWhenAbsent } = metadataOf(schema);
  const whenAbsent: unknown =
    outsideMainStore === true && valueWhenAbsent === undefined ? schema.default : valueWhenAbsent;
  return {
    type: propertyTypeOf(schema),
    returned: returned ?? (outsideMainStore === true ? 'single' : 'default'),
    ...omitUndefined({ valueWhenAbsent: whenAbsent }),
    ...(readOnly === true && { readOnly }),
    ...(nonNullable === true && { notNull: true as const }),
  };
}

function propertyTypeOf(schema: TSchema): Property['type'] {
  const { type, format, items } = schema as {
    readonly type?: string;
    readonly format?: string;
    readonly items?: { readonly type?: string };
  };
  if (metadataOf(schema).separator !== undefined) return 'string';
  if (type === 'array') return items?.type === 'object' ? 'objects' : 'strings';
  if (format === 'date-time') return 'dateTime';
  return type === 'string' || type === 'boolean' || type === 'integer' || type === 'object'
    ? type
    : 'any';
}
