import { splitQuery } from '../../../core/text/split-query.js';
import { apiVersions } from '../../../clients/resource-manager/index.js';
import { authConfigsVersions } from '../../schemas/azapi/auth-configs-check.js';
import type { ValueMap } from '../../values/value.js';
import { ProviderFailure } from '../handler.js';
import { textOrEmpty, optionalText } from '../read-values.js';

/** A resource's id, with the api-version to use. */
export interface ResourceAddress {
  readonly id: string;
  /** `Microsoft.App/containerApps/authConfigs`. */
  readonly type: string;
  readonly apiVersion: string;
  /** The last segment of the id. */
  readonly name: string;
  /** The id of what contains it: a resource, a resource group or a subscription. */
  readonly parentId: string;
}

/** Parses `type` into the resource type and the api-version. */
export function splitType(type: string): { readonly type: string; readonly apiVersion: string } {
  const separatorIndex = type.lastIndexOf('@');
  return separatorIndex < 0
    ? { type, apiVersion: '' }
    : { type: type.slice(0, separatorIndex), apiVersion: type.slice(separatorIndex + 1) };
}

/** Types of which a resource of any kind can be the parent. */
const extensionTypes = ['microsoft.authorization/', 'microsoft.insights/diagnosticsettings'];

/**
 * Whether resources of a type have a location and tags, as those in resource groups have, and the
 * groups themselves; parts and extensions of other resources have none.
 */
export function hasLocation(typeWithVersion: string): boolean {
  const type = splitType(typeWithVersion).type.toLowerCase();
  return (
    type.split('/').length === 2 && !extensionTypes.some((extension) => type.startsWith(extension))
  );
}

/**
 * The address built from `type`, `parent_id` and `name`.
 *
 * @throws ProviderFailure when the parent is of another type; the official provider detects it at
 *   apply.
 */
export function buildAddress(planned: ValueMap): ResourceAddress {
  const { type, apiVersion } = splitType(textOrEmpty(planned, 'type'));
  const [name, parentId] = [
    textOrEmpty(planned, 'name'),
    (optionalText(planned, 'parent_id') ?? '').replace(/\/+$/, ''),
  ];
  const parts = type.split('/');
  const parentType = parts.slice(0, -1).join('/');
  if (type.toLowerCase() === 'microsoft.resources/resourcegroups')
    return { id: `${parentId}/resourceGroups/${name}`, type, apiVersion, name, parentId };
  if (parts.length === 2)
    return { id: `${parentId}/providers/${type}/${name}`, type, apiVersion, name, parentId };
  if (resourceTypeOf(parentId).toLowerCase() !== parentType.toLowerCase())
    throw new ProviderFailure(
      'Invalid configuration',
      `\`parent_id is invalid\`: expect ID of \`${parentType}\``,
      ['parent_id'],
    );
  return { id: `${parentId}/${parts.at(-1) ?? ''}/${name}`, type, apiVersion, name, parentId };
}

/** The resource type of an id. */
export function resourceTypeOf(id: string): string {
  const parts = id.replace(/^\/|\/$/g, '').split('/');
  const providersIndex = parts.findLastIndex((part) => part.toLowerCase() === 'providers');
  if (providersIndex < 0)
    return parts.length > 2
      ? 'Microsoft.Resources/resourceGroups'
      : 'Microsoft.Resources/subscriptions';
  const [namespace = '', ...rest] = parts.slice(providersIndex + 1);
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/');
}

/** The parent of an id, and its own name. */
export function parentAndName(id: string): { readonly parentId: string; readonly name: string } {
  const parts = id.split('/');
  const name = parts.at(-1) ?? '';
  const parentParts = parts.slice(0, -2);
  const isTopLevel = parentParts.at(-2)?.toLowerCase() === 'providers';
  return { name, parentId: (isTopLevel ? parentParts.slice(0, -2) : parentParts).join('/') };
}

/** The address in an import: an id, with `?api-version=` for another than the newest version. */
export function parseImportedAddress(text: string): ResourceAddress {
  const [id, query = ''] = splitQuery(text);
  if (!/^\/subscriptions\/[^/]+/i.test(id))
    throw new ProviderFailure(
      'Invalid Resource ID',
      `Expected a resource id with an optional ?api-version=, got ${text}`,
    );
  const type = resourceTypeOf(id);
  const apiVersion = new URLSearchParams(query).get('api-version') ?? newestVersion(type);
  if (apiVersion === undefined)
    throw new ProviderFailure(
      'Unknown resource type',
      `No api-version of ${type} is known: add ?api-version=… to the id.`,
    );
  return { id, type, apiVersion, ...parentAndName(id) };
}

function newestVersion(type: string): string | undefined {
  if (type.toLowerCase() === 'microsoft.app/containerapps/authconfigs')
    return authConfigsVersions.at(-1);
  return Object.entries(apiVersions).find(
    ([known]) => known.toLowerCase() === type.toLowerCase(),
  )?.[1];
}
