import type { Finding } from '../../../core/findings/finding.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
import type { AppParts } from './app-parts.js';
import type { PlanConfiguration } from './plan-configuration.js';
import type { DeclaredPart } from './declarations.js';
import { mappedAttribute, parentAttribute, primaryTypes } from './declaring-types.js';

/**
 * A declaration made by several resources together: an app and its sign-in layer, a registration
 * with its addresses and secret.
 */
export interface JoinedDeclaration extends Declaration {
  /**
   * The resource of each part, by the first path step in the declaration, or the first two where
   * each entry has a resource (`customDomains.shop.example`); empty if one resource makes the
   * declaration alone.
   */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Whether the resource that creates the object is among them. */
  readonly hasPrimaryResource: boolean;
  /** For an app: the parts for which castellan.yaml has no properties. */
  readonly appParts?: AppParts;
}

/** The declaration in a resource that makes a whole or a part of one. */
type DeclaredContent = Pick<
  DeclaredPart,
  | 'section'
  | 'name'
  | 'part'
  | 'parentId'
  | 'resourceGroup'
  | 'appParts'
  | 'origin'
  | 'unknownPaths'
> & {
  readonly value: Readonly<Record<string, unknown>>;
};

/** Sign-in settings whose app is not among the resources, or has others already. */
export interface UnattachedAuth {
  /** The address of their resource. */
  readonly address: string;
  /** The id of their app, if known. */
  readonly app: string | undefined;
  /** The address of other settings of the same app, which come first. */
  readonly otherAuth?: string;
}

/** All declarations made by several resources together. */
export interface JoinResult {
  readonly declarations: Iterable<JoinedDeclaration>;
  readonly unattachedAuth: readonly UnattachedAuth[];
}

/** Joins the parts of declarations after all resources were added. */
export class DeclarationJoiner {
  readonly #wholes: DeclaredContent[] = [];
  readonly #parts: DeclaredContent[] = [];

  /** Adds a part of a declaration, to be joined; false for a resource that makes one alone. */
  addIfPart(declared: DeclaredPart): boolean {
    if (declared.part === undefined) return false;
    const list = declared.part === 'whole' ? this.#wholes : this.#parts;
    list.push(declared as DeclaredContent);
    return true;
  }

  /**
   * The joined declarations. Parts are joined by references, by ids, or by the names in ids, never
   * because two resources have the same local name. Of several secrets one belongs to the whole;
   * the others are checked alone.
   *
   * @param configuration that of the plan; absent for resources without one, such as of a state.
   */
  join(configuration?: PlanConfiguration): JoinResult {
    const parts = this.#parts.map((declared) => ({
      declared: withoutChosenProperties(declared, configuration),
      keys: keysOfPart(declared, configuration),
    }));
    const wholes = this.#wholesByKey(new Set(parts.flatMap(({ keys }) => keys)));
    const attached = new Map<DeclaredContent, DeclaredContent[]>();
    const unattached = new Map<string, DeclaredContent[]>();
    /** For parts of which a whole has another already: the address of that one. */
    const otherAddresses = new Map<DeclaredContent, string | undefined>();
    for (const { declared, keys } of parts) {
      const address = declared.origin.terraformAddress ?? '';
      const whole = keys.map((each) => wholes.get(each)).find((each) => each !== undefined);
      const joinedParts =
        whole === undefined ? unattached.get(keys[0] ?? address) : attached.get(whole);
      const other =
        declared.part === 'groupSettings' || declared.part === 'customDomain'
          ? undefined
          : joinedParts?.find((each) => each.part === declared.part);
      if (other !== undefined) {
        unattached.set(`${keys[0] ?? ''} ${address}`, [declared]);
        otherAddresses.set(declared, other.origin.terraformAddress);
      } else if (joinedParts !== undefined) joinedParts.push(declared);
      else if (whole === undefined) unattached.set(keys[0] ?? address, [declared]);
      else attached.set(whole, [declared]);
    }
    const unattachedGroups = [...unattached.values()];
    const unattachedAuth = unattachedGroups
      .flat()
      .flatMap((declared): readonly UnattachedAuth[] => {
        const { part, parentId, origin } = declared;
        const otherAuth = otherAddresses.get(declared);
        return part === 'auth'
          ? [
              {
                address: origin.terraformAddress ?? '',
                app: parentId,
                ...omitUndefined({ otherAuth }),
              },
            ]
          : [];
      });
    return { declarations: this.#joinAll(attached, unattachedGroups), unattachedAuth };
  }

  *#joinAll(
    partsByWhole: ReadonlyMap<DeclaredContent, readonly DeclaredContent[]>,
    unattachedGroups: readonly (readonly DeclaredContent[])[],
  ): Generator<JoinedDeclaration> {
    for (const whole of this.#wholes) yield joinParts([whole, ...(partsByWhole.get(whole) ?? [])]);
    for (const parts of unattachedGroups) yield joinParts(parts);
  }

  /** The wholes by the keys with which parts refer to them; an ambiguous key refers to none. */
  #wholesByKey(partKeys: ReadonlySet<string>): ReadonlyMap<string, DeclaredContent> {
    const wholes = new Map<string, DeclaredContent>();
    const ambiguousKeys = new Set<string>();
    for (const whole of partKeys.size === 0 ? [] : this.#wholes)
      for (const key of keysOfWhole(whole)) {
        if (!partKeys.has(key)) continue;
        if (wholes.has(key)) ambiguousKeys.add(key);
        wholes.set(key, whole);
      }
    for (const key of ambiguousKeys) wholes.delete(key);
    return wholes;
  }
}

/**
 * Properties of a group without those that the directory chooses: the configuration sets none, and
 * a plan that creates the resource shows them as known only after apply.
 */
function withoutChosenProperties(
  declared: DeclaredContent,
  configuration: PlanConfiguration | undefined,
): DeclaredContent {
  if (declared.part !== 'groupProperties' || configuration === undefined) return declared;
  const address = declared.origin.terraformAddress ?? '';
  const isChosen = (path: ConfigPath): boolean => {
    const attribute = mappedAttribute('castellan_group_properties', path);
    return attribute !== undefined && configuration.isLeftToProvider(address, attribute);
  };
  const chosenProperties = new Set(
    declared.unknownPaths.filter(isChosen).map(([property]) => property),
  );
  const isDeclared = (property: string | number | undefined): boolean =>
    !chosenProperties.has(property);
  return {
    ...declared,
    value: Object.fromEntries(Object.entries(declared.value).filter(([each]) => isDeclared(each))),
    unknownPaths: declared.unknownPaths.filter(([property]) => isDeclared(property)),
  };
}

/** The keys with which parts may refer to a whole: an address, ids, or the name in an id. */
function keysOfWhole({
  section,
  value,
  resourceGroup,
  origin,
}: DeclaredContent): readonly string[] {
  const keys = [`address ${origin.terraformAddress ?? ''}`];
  if (origin.liveId !== undefined)
    keys.push(
      `id ${origin.liveId.toLowerCase()}`,
      `id /applications/${origin.liveId.toLowerCase()}`,
    );
  if (section !== 'containerApps' || typeof value['name'] !== 'string') return keys;
  const name = value['name'].toLowerCase();
  return [
    ...keys,
    ...(resourceGroup === undefined
      ? [`app ${name} in an unknown group`]
      : [`app ${name} in ${resourceGroup}`, `app ${name} in a known group`]),
  ];
}

/**
 * The keys with which a part refers to its whole, the most reliable first. The id of an app ends
 * with its resource group and its name.
 */
function keysOfPart(
  { section, part, parentId, origin }: DeclaredContent,
  configuration: PlanConfiguration | undefined,
): readonly string[] {
  if (part === undefined || part === 'whole') return [];
  if (parentId === undefined) {
    const target = configuration?.targetOf(
      origin.terraformAddress ?? '',
      parentAttribute[part],
      primaryTypes(section),
    );
    return target === undefined ? [] : [`address ${target}`];
  }
  const id = parentId.toLowerCase();
  if (section !== 'containerApps') return [`id ${id}`];
  const name = id.split('/').at(-1) ?? '';
  const resourceGroup = /\/resourcegroups\/([^/]+)\//.exec(id)?.[1];
  return [
    `id ${id}`,
    ...(resourceGroup === undefined ? [] : [`app ${name} in ${resourceGroup}`]),
    `app ${name} in an unknown group`,
    ...(resourceGroup === undefined ? [`app ${name} in a known group`] : []),
  ];
}

/** Merges the declarations of a whole and its parts. */
function joinParts(parts: readonly DeclaredContent[]): JoinedDeclaration {
  const [first] = parts as [DeclaredContent];
  const { section, name, origin } = first;
  const withOrigins = (
    value: object,
    unknownPaths: DeclaredContent['unknownPaths'],
    origins: ReadonlyMap<string, Origin>,
  ) =>
    ({
      section,
      name,
      value,
      unknownPaths,
      origin,
      origins,
      hasPrimaryResource: first.part === 'whole',
      appParts: first.appParts,
    }) as unknown as JoinedDeclaration;
  if (parts.length === 1) return withOrigins(first.value, first.unknownPaths, noOrigins);
  const value: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const each of parts)
    for (const [key, partValue] of Object.entries(each.value)) {
      const hasEntries = key === 'settings' || key === 'customDomains';
      value[key] = hasEntries
        ? { ...(partValue as object), ...(value[key] as object | undefined) }
        : (value[key] ?? partValue);
      for (const entry of hasEntries ? Object.keys(partValue as object) : [])
        if (!origins.has(`${key}.${entry}`)) origins.set(`${key}.${entry}`, each.origin);
      if (!origins.has(key) || each.part === 'auth') origins.set(key, each.origin);
    }
  const unknownPaths = parts.flatMap((each) => each.unknownPaths);
  return withOrigins(value, unknownPaths, origins);
}

/** The origins of a declaration that one resource makes alone. */
const noOrigins: ReadonlyMap<string, Origin> = new Map();

/** Locates a finding at the resource that makes its part of the declaration. */
export function locateAtOwnResource(
  finding: Finding,
  { origin, origins }: JoinedDeclaration,
): Finding {
  const [, , key, entry] = finding.path ?? [];
  const ownOrigin = origins.get(`${String(key)}.${String(entry)}`) ?? origins.get(String(key));
  if (ownOrigin === undefined || ownOrigin === origin) return finding;
  const {
    terraformAddress: _address,
    liveId: _id,
    constructPath: _path,
    location,
    ...otherProperties
  } = finding;
  const { location: ownLocation, ...places } = ownOrigin;
  const findingLocation = location === origin.location ? ownLocation : location;
  return { ...otherProperties, ...places, ...omitUndefined({ location: findingLocation }) };
}
