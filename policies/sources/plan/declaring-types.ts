import type { ConfigPath } from '../../../core/yaml/layers.js';
import { auth } from '../../../kinds/auth/auth.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { containerAppEnvironment } from '../../../kinds/container-app/environment.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream } from '../../../kinds/eventstream/eventstream.js';
import { group } from '../../../kinds/group/group.js';
import { registration } from '../../../kinds/registration/registration.js';
import { type Mapping, mappingsOf } from '../../../kinds/schema/mapping.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { Section } from '../../../kinds/stack/schema.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { startsWith } from '../../engine/stack-index.js';
import {
  type AppParts,
  appPartsReader,
  type AppResourceType,
  containerAttributePath,
} from './app-parts.js';
import { customDomainsMapping } from './custom-domains.js';
import { definitionMapping, eventstreamGraphMapping } from './definition-mappings.js';
import { type Attributes, mapAttribute } from './declared-value.js';

/** How a resource type declares something. */
export interface DeclaringType {
  readonly section: Section;
  readonly mappings: readonly Mapping[];
  /** If several resources make one declaration: the part of this one. */
  readonly part?:
    | 'whole'
    | 'auth'
    | 'customDomain'
    | 'redirectUris'
    | 'password'
    | 'groupProperties'
    | 'groupSettings';
  /** Whether it declares a part without referring to the whole, so that it is checked by itself. */
  readonly isAdditional?: true;
  /** Reads the parts of an app for which castellan.yaml has no properties. */
  readonly readAppParts?: (attributes: Attributes) => AppParts;
}

/** The attribute with which a part refers to the whole. */
export const parentAttribute = {
  auth: 'parent_id',
  customDomain: 'container_app_id',
  redirectUris: 'application_id',
  password: 'application_id',
  groupProperties: 'group_object_id',
  groupSettings: 'group_object_id',
} as const;

/** Describes a resource type. Its mappings are created when its first resource is read. */
function declaringType(
  section: Section,
  createMappings: () => readonly Mapping[],
  more: Omit<DeclaringType, 'section' | 'mappings'> = {},
): DeclaringType {
  let mappings: readonly Mapping[] | undefined;
  return {
    section,
    ...more,
    get mappings() {
      return (mappings ??= createMappings());
    },
  };
}

const types: Readonly<Record<string, DeclaringType>> = {
  azuread_group: declaringType('groups', () => mappingsOf(group, 'azuread_group'), {
    part: 'whole',
  }),
  azuread_group_without_members: declaringType(
    'groups',
    () => mappingsOf(group, 'azuread_group_without_members'),
    { part: 'whole' },
  ),
  castellan_group_properties: declaringType(
    'groups',
    () => mappingsOf(group, 'castellan_group_properties'),
    { part: 'groupProperties' },
  ),
  castellan_group_settings: declaringType('groups', () => [mapAttribute('settings', 'settings')], {
    part: 'groupSettings',
  }),
  fabric_workspace: declaringType('workspaces', () => mappingsOf(workspace, 'fabric_workspace')),
  fabric_eventhouse: declaringType('eventhouses', () =>
    mappingsOf(eventhouse, 'fabric_eventhouse'),
  ),
  castellan_eventhouse: declaringType('eventhouses', () => [
    ...mappingsOf(eventhouse, 'castellan_eventhouse'),
    definitionMapping,
  ]),
  fabric_eventstream: declaringType('eventstreams', () => [
    ...mappingsOf(eventstream, 'fabric_eventstream'),
    eventstreamGraphMapping,
  ]),
  castellan_eventstream: declaringType('eventstreams', () => [
    ...mappingsOf(eventstream, 'castellan_eventstream'),
    definitionMapping,
  ]),
  azurerm_container_app: appType('azurerm_container_app'),
  azurerm_container_app_custom_domain: declaringType(
    'containerApps',
    () => [mapAttribute('customDomains', 'customDomains')],
    { part: 'customDomain' },
  ),
  azurerm_log_analytics_workspace: declaringType(
    'environments',
    () => mappingsOf(containerAppEnvironment, 'azurerm_log_analytics_workspace'),
    { isAdditional: true },
  ),
  azurerm_container_app_environment: declaringType('environments', () =>
    mappingsOf(containerAppEnvironment, 'azurerm_container_app_environment'),
  ),
  azuread_application: declaringType(
    'registrations',
    () => mappingsOf(registration, 'azuread_application'),
    { part: 'whole' },
  ),
  azuread_application_registration: declaringType(
    'registrations',
    () => mappingsOf(registration, 'azuread_application_registration'),
    { part: 'whole' },
  ),
  azuread_application_redirect_uris: declaringType(
    'registrations',
    () => mappingsOf(registration, 'azuread_application_redirect_uris'),
    { part: 'redirectUris' },
  ),
  azuread_application_password: declaringType(
    'registrations',
    () => mappingsOf(registration, 'azuread_application_password'),
    { part: 'password' },
  ),
};

let cachedAzapiTypes: Readonly<Record<string, DeclaringType>> | undefined;

/** Declarations in `azapi_resource`, by the type in the cloud's resource manager, in lower case. */
const azapiTypes = (): Readonly<Record<string, DeclaringType>> =>
  (cachedAzapiTypes ??= {
    [azapiType(containerApp)]: appType('azapi_resource'),
    [azapiType(auth)]: declaringType(
      'containerApps',
      () => mappingsOf(auth, 'azapi_resource', ['auth']),
      {
        part: 'auth',
      },
    ),
    [azapiType(containerAppEnvironment)]: declaringType('environments', () =>
      mappingsOf(containerAppEnvironment, 'azapi_resource'),
    ),
  });

function azapiType({
  terraform,
}: {
  readonly terraform: { readonly azapi?: string | undefined };
}): string {
  return String(terraform.azapi).toLowerCase();
}

function appType(type: AppResourceType): DeclaringType {
  let readParts: DeclaringType['readAppParts'];
  const createMappings = (): readonly Mapping[] => [
    ...mappingsOf(containerApp, type),
    ...(type === 'azapi_resource' ? [customDomainsMapping] : []),
  ];
  return declaringType('containerApps', createMappings, {
    part: 'whole',
    readAppParts: (attributes) => (readParts ??= appPartsReader(type))(attributes),
  });
}

/** The resource types that declare something. */
export const checkedResourceTypes: ReadonlySet<string> = new Set([
  ...Object.keys(types),
  'azapi_resource',
]);

/** How a resource declares something; undefined for types of which the rules know nothing. */
export function declaringTypeOf({ type, after }: PlannedResource): DeclaringType | undefined {
  if (type !== 'azapi_resource') return Object.hasOwn(types, type) ? types[type] : undefined;
  const cloudType = String(valueAtPath(after, ['type']))
    .split('@')[0]
    ?.toLowerCase();
  return cloudType !== undefined && Object.hasOwn(azapiTypes(), cloudType)
    ? azapiTypes()[cloudType]
    : undefined;
}

/**
 * The section of castellan.yaml that a resource, or a part of it, belongs to; undefined for others.
 */
export function sectionOf(resource: PlannedResource): Section | undefined {
  return declaringTypeOf({ ...resource, after: resource.after ?? resource.before })?.section;
}

const attributesByPath = new Map<string, ConfigPath | undefined>();

/**
 * The attribute of a resource type for a path of a declaration; cached, since a plan needs it for
 * every unknown value.
 */
export function mappedAttribute(type: string, path: ConfigPath): ConfigPath | undefined {
  const key = `${type} ${path.length === 1 ? String(path[0]) : path.join('.')}`;
  if (!attributesByPath.has(key)) attributesByPath.set(key, findMappedAttribute(type, path));
  return attributesByPath.get(key);
}

function findMappedAttribute(type: string, path: ConfigPath): ConfigPath | undefined {
  return mappingAround(type, path)?.attribute;
}

/** Like {@link mappedAttribute}, with the steps below the attribute: an entry of a list, a key. */
export function attributePath(type: string, path: ConfigPath): ConfigPath | undefined {
  if (type === 'azurerm_container_app' || type === 'azapi_resource') {
    const ofContainer = containerAttributePath(type, path, (each) => attributePath(type, each));
    if (ofContainer !== undefined) return ofContainer;
  }
  const mapping = mappingAround(type, path);
  return mapping && [...mapping.attribute, ...path.slice(mapping.property.length)];
}

function mappingAround(type: string, path: ConfigPath): Mapping | undefined {
  const candidates = mappingsOfType(type).filter(({ property }) => startsWith(path, property));
  return candidates.sort((one, other) => other.property.length - one.property.length)[0];
}

/** The mappings of a resource type; for `azapi_resource`, those of all its bodies. */
export function mappingsOfType(type: string): readonly Mapping[] {
  if (type === 'azapi_resource')
    return Object.values(azapiTypes()).flatMap(({ mappings }) => mappings);
  return Object.hasOwn(types, type) ? (types[type]?.mappings ?? []) : [];
}

const primaryTypesBySection = new Map<Section, ReadonlySet<string>>();

/** The resource types that create the whole of a section, which other resources may be parts of. */
export function primaryTypes(section: Section): ReadonlySet<string> {
  const cached = primaryTypesBySection.get(section);
  if (cached !== undefined) return cached;
  const allTypes = [
    ...Object.entries(types),
    ...Object.values(azapiTypes()).map((each) => ['azapi_resource', each] as const),
  ];
  const wholeTypes = new Set(
    allTypes
      .filter(([, each]) => each.section === section && (each.part ?? 'whole') === 'whole')
      .map(([type]) => type),
  );
  primaryTypesBySection.set(section, wholeTypes);
  return wholeTypes;
}
