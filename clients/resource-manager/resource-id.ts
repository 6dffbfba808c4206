import { CastellanError } from '../../core/errors/castellan-error.js';
import { isGuid } from '../../core/values/guid.js';

/**
 * A parsed resource id:
 * `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/{namespace}/{type}/{name}…`.
 */
export interface ParsedResourceId {
  readonly subscriptionId: string;
  /** The name of the group; undefined for what is in none. */
  readonly resourceGroup?: string;
  /** `Microsoft.App`; undefined for subscriptions and resource groups. */
  readonly namespace?: string;
  /**
   * Pairs of type and name, outermost first:
   * `[['containerApps', 'web'], ['authConfigs', 'current']]`.
   */
  readonly segments: readonly (readonly [type: string, name: string])[];
}

/** `/subscriptions/{subscriptionId}/resourceGroups/{name}`. */
export function resourceGroupId(subscriptionId: string, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
}

/**
 * The id of a resource in a group.
 *
 * @example resourceId(subscription, 'rg', 'Microsoft.App/containerApps', 'web')
 */
export function resourceId(
  subscriptionId: string,
  group: string,
  type: string,
  name: string,
): string {
  return `${resourceGroupId(subscriptionId, group)}/providers/${type}/${name}`;
}

/** The id of an app's sign-in settings: its only child `authConfigs/current`. */
export function authConfigId(containerAppId: string): string {
  return `${containerAppId}/authConfigs/current`;
}

/**
 * Parses a resource id; letter case does not matter in its fixed words.
 *
 * @throws CAS5006 when it isn't one.
 */
export function parseResourceId(id: string): ParsedResourceId {
  const parts = id.replace(/^\/+|\/+$/g, '').split('/');
  const fail = (): never => {
    throw new CastellanError(
      'CAS5006',
      `"${id}" is not a resource id (/subscriptions/…/resourceGroups/…/providers/…)`,
    );
  };
  if (parts.some((part) => part === '') || parts[0]?.toLowerCase() !== 'subscriptions')
    return fail();
  const subscriptionId = parts[1] ?? fail();
  let rest = parts.slice(2);
  let resourceGroup: string | undefined;
  if (rest[0]?.toLowerCase() === 'resourcegroups')
    [resourceGroup, rest] = [rest[1] ?? fail(), rest.slice(2)];
  const group = resourceGroup === undefined ? {} : { resourceGroup };
  if (rest.length === 0) return { subscriptionId, ...group, segments: [] };
  if (rest[0]?.toLowerCase() !== 'providers' || rest.length < 4 || rest.length % 2 !== 0)
    return fail();
  const segments: [string, string][] = [];
  for (let index = 2; index < rest.length; index += 2)
    segments.push([rest[index] as string, rest[index + 1] as string]);
  return { subscriptionId, ...group, namespace: rest[1] as string, segments };
}

/**
 * The scope of a listing: a subscription, by its id alone or by its resource id, or the resource
 * group of a resource id.
 *
 * @throws CAS5006 for a text that is no resource id.
 */
export function parseScope(
  scope: string,
): Pick<ParsedResourceId, 'subscriptionId' | 'resourceGroup'> {
  return isGuid(scope) ? { subscriptionId: scope } : parseResourceId(scope);
}
