import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { unknownPlaceholder } from '../../../kinds/schema/readers.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import { azapiBodyOf, type PlannedResource } from '../../engine/planned-resource.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
import type { AppParts } from './app-parts.js';
import { withDomainByName } from './custom-domains.js';
import { type DeclaringType, declaringTypeOf, parentAttribute } from './declaring-types.js';
import { type Attributes, type DeclaredValue, readDeclared } from './declared-value.js';

/** The declaration in a resource, which may be one part of a larger one. */
export interface DeclaredPart extends Declaration {
  /** What of it this resource makes; undefined if it makes the declaration alone. */
  readonly part?: DeclaringType['part'];
  /** Whether it declares a part without referring to the whole. */
  readonly isAdditional?: true;
  /** The resource id in the part's reference to the whole, if known. */
  readonly parentId?: string;
  /** The resource group of an app, if known. */
  readonly resourceGroup?: string;
  /** For an app: the parts for which castellan.yaml has no properties. */
  readonly appParts?: AppParts;
}

/**
 * Converts a planned resource to a declaration of castellan.yaml; undefined if the rules know
 * nothing about its type.
 */
export function declarationOf(resource: PlannedResource): DeclaredPart | undefined {
  const declaringType = declaringTypeOf(resource);
  if (
    declaringType === undefined ||
    resource.mode !== 'managed' ||
    resource.after === null ||
    typeof resource.after !== 'object'
  )
    return undefined;
  const { after, afterUnknown } =
    resource.type === 'azapi_resource'
      ? withParsedBody(resource)
      : declaringType.part === 'groupSettings'
        ? withSettingsByTemplate(resource)
        : declaringType.part === 'customDomain'
          ? withDomainByName(resource)
          : resource;
  if (declaringType.part === 'redirectUris' && valueAtPath(after, ['type']) !== 'Web')
    return undefined;
  const attributes: Attributes = { after, afterUnknown, exists: resource.before !== null };
  const declared = readDeclared(declaringType.mappings, attributes);
  const { value, unknownPaths } =
    declaringType.part === 'auth'
      ? withoutUnusedRedirect(declared)
      : declaringType.section === 'registrations'
        ? withoutChosenEndDate(declared)
        : declared;
  const parentReference =
    declaringType.part === undefined || declaringType.part === 'whole'
      ? undefined
      : parentAttribute[declaringType.part];
  const parentId =
    parentReference === undefined || valueAtPath(afterUnknown, [parentReference]) === true
      ? undefined
      : valueAtPath(after, [parentReference]);
  return {
    section: declaringType.section,
    name: declaredName(resource),
    value,
    unknownPaths,
    origin: originOf(resource),
    part: declaringType.part,
    isAdditional: declaringType.isAdditional,
    parentId: typeof parentId === 'string' && parentId !== '' ? parentId : undefined,
    resourceGroup: resourceGroupOf(resource),
    appParts: declaringType.readAppParts?.(attributes),
  } as unknown as DeclaredPart;
}

/** A secret without the end date that the directory chooses if none is declared. */
function withoutChosenEndDate({ value, unknownPaths }: DeclaredValue): DeclaredValue {
  const { expires, ...secret } = (value['secret'] ?? {}) as Readonly<Record<string, unknown>>;
  if (expires !== unknownPlaceholder) return { value, unknownPaths };
  const { secret: _secret, ...rest } = value;
  const remaining = Object.keys(secret).length === 0 ? rest : { ...rest, secret };
  return {
    value: remaining,
    unknownPaths: unknownPaths.filter((path) => path.at(-1) !== 'expires'),
  };
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
 * Sign-in settings without the provider to redirect to if nothing redirects: the cloud stores one
 * for every action.
 */
function withoutUnusedRedirect({
  value,
  unknownPaths,
}: ReturnType<typeof readDeclared>): ReturnType<typeof readDeclared> {
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
function declaredName({ address, type, name }: PlannedResource): string {
  // length first: most different addresses have different lengths
  const isTypeAndName =
    address.length === type.length + 1 + name.length &&
    address.startsWith(type) &&
    address.charAt(type.length) === '.' &&
    address.endsWith(name);
  return isTypeAndName ? name : address.replace(new RegExp(`(^|\\.)${type}\\.`), '$1');
}

/**
 * The attributes with the values of a group setting by the name of its template, as in
 * castellan.yaml.
 */
function withSettingsByTemplate({ after, afterUnknown }: PlannedResource): {
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

/** The attributes with a parsed body; a text that is not JSON stays, as the rules can't read it. */
function withParsedBody({ after, afterUnknown }: PlannedResource): {
  readonly after: unknown;
  readonly afterUnknown: unknown;
} {
  const body = azapiBodyOf(after);
  return body === undefined || body === valueAtPath(after, ['body'])
    ? { after, afterUnknown }
    : { after: { ...(after as object), body }, afterUnknown };
}
