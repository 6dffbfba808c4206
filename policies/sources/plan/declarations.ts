import type { ConfigPath } from '../../../core/yaml/layers.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
import { auth } from '../../../kinds/auth/auth.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { environment } from '../../../kinds/container-app/environment.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream } from '../../../kinds/eventstream/schema.js';
import { group } from '../../../kinds/group/group.js';
import { registration } from '../../../kinds/registration/registration.js';
import { type Mapping, mappingsOf } from '../../../kinds/schema/mapping.js';
import { unknownPlaceholder } from '../../../kinds/schema/readers.js';
import { valueAtPath } from '../../../kinds/schema/steps.js';
import type { Section } from '../../../kinds/stack/schema.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { appParts, type AppParts } from './containers.js';
import { definition, graph } from './kinds/item.js';
import { type Attributes, type Declared, declaredBy, map } from './mapping.js';
import type { PlannedResource } from '../../engine/planned-resource.js';

/** How a resource type declares something. */
interface Kind {
  readonly section: Section;
  readonly mappings: readonly Mapping[];
  /** If several resources make one declaration: the part of this one. */
  readonly part?:
    'whole' | 'auth' | 'redirectUris' | 'password' | 'groupProperties' | 'groupSettings';
  /** It declares a part without referring to the whole, and is checked by itself. */
  readonly isAside?: true;
  /** Reads the parts of an app for which castellan.yaml has no properties. */
  readonly parts?: (attributes: Attributes) => AppParts;
}

/** The attribute with which a part refers to the whole. */
export const parentAttribute = {
  auth: 'parent_id',
  redirectUris: 'application_id',
  password: 'application_id',
  groupProperties: 'group_object_id',
  groupSettings: 'group_object_id',
} as const;

/** Describes a resource type. Its mappings are created when its first resource is read. */
function kind(
  section: Section,
  createMappings: () => readonly Mapping[],
  more: Omit<Kind, 'section' | 'mappings'> = {},
): Kind {
  let mappings: readonly Mapping[] | undefined;
  return {
    section,
    ...more,
    get mappings() {
      return (mappings ??= createMappings());
    },
  };
}

const kinds: Readonly<Record<string, Kind>> = {
  azuread_group: kind('groups', () => mappingsOf(group, 'azuread_group'), { part: 'whole' }),
  azuread_group_without_members: kind(
    'groups',
    () => mappingsOf(group, 'azuread_group_without_members'),
    { part: 'whole' },
  ),
  castellan_group_properties: kind(
    'groups',
    () => mappingsOf(group, 'castellan_group_properties'),
    { part: 'groupProperties' },
  ),
  castellan_group_settings: kind('groups', () => [map('settings', 'settings')], {
    part: 'groupSettings',
  }),
  fabric_workspace: kind('workspaces', () => mappingsOf(workspace, 'fabric_workspace')),
  fabric_eventhouse: kind('eventhouses', () => mappingsOf(eventhouse, 'fabric_eventhouse')),
  castellan_eventhouse: kind('eventhouses', () => [
    ...mappingsOf(eventhouse, 'castellan_eventhouse'),
    definition,
  ]),
  fabric_eventstream: kind('eventstreams', () => [
    ...mappingsOf(eventstream, 'fabric_eventstream'),
    graph,
  ]),
  castellan_eventstream: kind('eventstreams', () => [
    ...mappingsOf(eventstream, 'castellan_eventstream'),
    definition,
  ]),
  azurerm_container_app: app('azurerm_container_app'),
  azurerm_log_analytics_workspace: kind(
    'environments',
    () => mappingsOf(environment, 'azurerm_log_analytics_workspace'),
    {
      isAside: true,
    },
  ),
  azurerm_container_app_environment: kind('environments', () =>
    mappingsOf(environment, 'azurerm_container_app_environment'),
  ),
  azuread_application: kind(
    'registrations',
    () => mappingsOf(registration, 'azuread_application'),
    { part: 'whole' },
  ),
  azuread_application_registration: kind(
    'registrations',
    () => mappingsOf(registration, 'azuread_application_registration'),
    {
      part: 'whole',
    },
  ),
  azuread_application_redirect_uris: kind(
    'registrations',
    () => mappingsOf(registration, 'azuread_application_redirect_uris'),
    {
      part: 'redirectUris',
    },
  ),
  azuread_application_password: kind(
    'registrations',
    () => mappingsOf(registration, 'azuread_application_password'),
    {
      part: 'password',
    },
  ),
};

let azapi: Readonly<Record<string, Kind>> | undefined;

/** Declarations in `azapi_resource`, by the type in the cloud's resource manager, in lower case. */
const azapiKinds = (): Readonly<Record<string, Kind>> =>
  (azapi ??= {
    [azapiType(containerApp)]: app('azapi_resource'),
    [azapiType(auth)]: kind('containerApps', () => mappingsOf(auth, 'azapi_resource', ['auth']), {
      part: 'auth',
    }),
    [azapiType(environment)]: kind('environments', () => mappingsOf(environment, 'azapi_resource')),
  });

function azapiType({
  terraform,
}: {
  readonly terraform: { readonly azapi?: string | undefined };
}): string {
  return String(terraform.azapi).toLowerCase();
}

function app(type: 'azurerm_container_app' | 'azapi_resource'): Kind {
  let read: Kind['parts'];
  return kind('containerApps', () => mappingsOf(containerApp, type), {
    part: 'whole',
    parts: (attributes) => (read ??= appParts(type))(attributes),
  });
}

/** The resource types that declare something. */
export const declaringTypes: ReadonlySet<string> = new Set([
  ...Object.keys(kinds),
  'azapi_resource',
]);

function kindOf({ type, after }: PlannedResource): Kind | undefined {
  if (type !== 'azapi_resource') return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  const text = String(valueAtPath(after, ['type']))
    .split('@')[0]
    ?.toLowerCase();
  return text !== undefined && Object.hasOwn(azapiKinds(), text) ? azapiKinds()[text] : undefined;
}

/**
 * The section of castellan.yaml that a resource, or a part of it, belongs to; undefined for others.
 */
export function sectionOf(resource: PlannedResource): Section | undefined {
  return kindOf({ ...resource, after: resource.after ?? resource.before })?.section;
}

/** The declaration in a resource, and the whole that it is a part of. */
export interface DeclaredPart extends Declaration {
  readonly part?: Kind['part'];
  readonly isAside?: true;
  /** The resource id in the part's reference to the whole, if known. */
  readonly of?: string;
  /** The resource group of an app, if known. */
  readonly resourceGroup?: string;
  /** For an app: the parts for which castellan.yaml has no properties. */
  readonly parts?: AppParts;
}

/**
 * Converts a planned resource to a declaration of castellan.yaml; undefined if the rules know
 * nothing about its type.
 */
export function declarationOf(resource: PlannedResource): DeclaredPart | undefined {
  const kind = kindOf(resource);
  if (
    kind === undefined ||
    resource.mode !== 'managed' ||
    resource.after === null ||
    typeof resource.after !== 'object'
  )
    return undefined;
  const { after, afterUnknown } =
    resource.type === 'azapi_resource'
      ? withBody(resource)
      : kind.part === 'groupSettings'
        ? byTemplate(resource)
        : resource;
  if (kind.part === 'redirectUris' && valueAtPath(after, ['type']) !== 'Web') return undefined;
  const attributes: Attributes = { after, afterUnknown, exists: resource.before !== null };
  const declared = declaredBy(kind.mappings, attributes);
  const { value, unknownPaths } =
    kind.part === 'auth'
      ? signIn(declared)
      : kind.part === 'password'
        ? withoutChosenEnd(declared)
        : declared;
  const joining =
    kind.part === undefined || kind.part === 'whole' ? undefined : parentAttribute[kind.part];
  const of =
    joining === undefined || valueAtPath(afterUnknown, [joining]) === true
      ? undefined
      : valueAtPath(after, [joining]);
  return {
    section: kind.section,
    name: nameOf(resource),
    value,
    unknownPaths,
    origin: originOf(resource),
    part: kind.part,
    isAside: kind.isAside,
    of: typeof of === 'string' && of !== '' ? of : undefined,
    resourceGroup: resourceGroupOf(resource),
    parts: kind.parts?.(attributes),
  } as unknown as DeclaredPart;
}

/** A secret without the end date that the directory chooses if none is declared. */
function withoutChosenEnd({ value, unknownPaths }: Declared): Declared {
  const { expires, ...secret } = (value['secret'] ?? {}) as Readonly<Record<string, unknown>>;
  if (expires !== unknownPlaceholder) return { value, unknownPaths };
  const { secret: _secret, ...rest } = value;
  const known = Object.keys(secret).length === 0 ? rest : { ...rest, secret };
  return { value: known, unknownPaths: unknownPaths.filter((path) => path.at(-1) !== 'expires') };
}

const attributes = new Map<string, ConfigPath | undefined>();

/**
 * The attribute of a resource type for a path of a declaration; cached, since a plan needs it for
 * every unknown value.
 */
export function attributeOf(type: string, path: ConfigPath): ConfigPath | undefined {
  const key = `${type} ${path.length === 1 ? String(path[0]) : path.join('.')}`;
  if (!attributes.has(key)) attributes.set(key, findAttribute(type, path));
  return attributes.get(key);
}

function findAttribute(type: string, path: ConfigPath): ConfigPath | undefined {
  return mappingAround(type, path)?.attribute;
}

/** Like {@link attributeOf}, with the steps below the attribute: an entry of a list, a key. */
export function attributeWithin(type: string, path: ConfigPath): ConfigPath | undefined {
  const mapping = mappingAround(type, path);
  return mapping && [...mapping.attribute, ...path.slice(mapping.property.length)];
}

function mappingAround(type: string, path: ConfigPath): Mapping | undefined {
  const own =
    type === 'azapi_resource'
      ? Object.values(azapiKinds())
      : Object.hasOwn(kinds, type)
        ? [kinds[type] as Kind]
        : [];
  const around = own.flatMap(({ mappings }) =>
    mappings.filter(({ property }) => property.every((step, index) => path[index] === step)),
  );
  return around.sort((one, other) => other.property.length - one.property.length)[0];
}

const wholes = new Map<Section, ReadonlySet<string>>();

/** The resource types that create the whole of a section, which other resources may be parts of. */
export function wholeTypes(section: Section): ReadonlySet<string> {
  const known = wholes.get(section);
  if (known !== undefined) return known;
  const all = [
    ...Object.entries(kinds),
    ...Object.values(azapiKinds()).map((each) => ['azapi_resource', each] as const),
  ];
  const whole = all
    .filter(([, each]) => each.section === section && (each.part ?? 'whole') === 'whole')
    .map(([type]) => type);
  const types = new Set(whole);
  wholes.set(section, types);
  return types;
}

/** The resource group of a resource: by its name, or by the id of the parent. */
function resourceGroupOf({ after }: PlannedResource): string | undefined {
  const { resource_group_name: name, parent_id: parent } = after as Readonly<
    Record<string, unknown>
  >;
  const group =
    name ??
    (typeof parent === 'string' ? /\/resourceGroups\/([^/]+)$/i.exec(parent)?.[1] : undefined);
  return typeof group === 'string' && group !== '' ? group.toLowerCase() : undefined;
}

/**
 * Sign-in settings without the redirect provider if nothing redirects: the cloud stores it beside
 * every action.
 */
function signIn({
  value,
  unknownPaths,
}: ReturnType<typeof declaredBy>): ReturnType<typeof declaredBy> {
  const { redirectTo: _redirectTo, ...rest } = (value['auth'] ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if ((rest['unauthenticatedAction'] ?? 'redirectToLogin') === 'redirectToLogin')
    return { value, unknownPaths };
  return {
    value: { ...value, auth: rest },
    unknownPaths: unknownPaths.filter(([, property]) => property !== 'redirectTo'),
  };
}

/** The origin of a resource. */
export function originOf({ address, liveId, origin }: PlannedResource): Origin {
  return { ...origin, terraformAddress: address, ...omitUndefined({ liveId }) };
}

/**
 * The name in castellan.yaml; for a resource in a module, or one of several instances, its address,
 * since no configuration declares it.
 */
function nameOf({ address, type, name }: PlannedResource): string {
  // length first: most different addresses have different lengths
  const isOwn =
    address.length === type.length + 1 + name.length &&
    address.startsWith(type) &&
    address.charAt(type.length) === '.' &&
    address.endsWith(name);
  return isOwn ? name : address.replace(new RegExp(`(^|\\.)${type}\\.`), '$1');
}

/** The values of a setting by the name of its template, as in castellan.yaml. */
function byTemplate({ after, afterUnknown }: PlannedResource): {
  readonly after: unknown;
  readonly afterUnknown: unknown;
} {
  const template = valueAtPath(after, ['template']);
  if (typeof template !== 'string') return { after: {}, afterUnknown: {} };
  const unknown = valueAtPath(afterUnknown, ['values']);
  return {
    after: { ...(after as object), settings: { [template]: valueAtPath(after, ['values']) ?? {} } },
    afterUnknown: unknown === undefined ? {} : { settings: { [template]: unknown } },
  };
}

/** Older releases of the provider store the body as text. */
function withBody({ after, afterUnknown }: PlannedResource): {
  readonly after: unknown;
  readonly afterUnknown: unknown;
} {
  const body = valueAtPath(after, ['body']);
  if (typeof body !== 'string') return { after, afterUnknown };
  try {
    return { after: { ...(after as object), body: JSON.parse(body) as unknown }, afterUnknown };
  } catch {
    return { after, afterUnknown }; // a text that is not JSON declares nothing that the rules could read
  }
}
