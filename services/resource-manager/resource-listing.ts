import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Call } from '../common/call.js';
import { readPageToken, writePageToken } from '../common/page-token.js';
import { badRequest, resourceGroupNotFound } from './errors.js';
import { resourceGroupType } from './resource-groups.js';
import { kindOf } from './kinds/index.js';
import { type Json, resourceKey, type ResourceStore, type StoredResource } from './store.js';

/**
 * Lists the resources of a subscription or a group: `$filter` selects, `$top` is the page size,
 * `nextLink` names the next page.
 *
 * @throws ArmError 404 for a group that doesn't exist.
 */
export async function listResources(
  scope: { subscription: string; group?: string },
  call: Call,
  store: ResourceStore,
): Promise<Json> {
  const { subscription, group } = scope;
  if (
    group !== undefined &&
    (await store.find(`/subscriptions/${subscription}/resourceGroups/${group}`)) === undefined
  )
    throw resourceGroupNotFound(group);
  return pageOfResources(
    (await store.list(scope)).filter(appearsInGroupList),
    call,
    presentListEntry,
  );
}

/** The requested page of resources. @throws ArmError 400 for an invalid filter or token. */
export function pageOfResources(
  resourcesInScope: readonly StoredResource[],
  call: Call,
  present: (resource: StoredResource) => Json,
): Json {
  const { query } = call;
  const token = query.get('$skiptoken');
  const afterKey = token === null ? '' : readPageToken(token);
  if (typeof afterKey !== 'string')
    throw badRequest(
      'InvalidSkipToken',
      `The $skiptoken '${token}' was not given out by this service.`,
    );
  const resources = resourcesInScope.filter(parseFilter(query.get('$filter')));
  const remaining = resources.filter(({ id }) => resourceKey(id) > afterKey);
  const top = /^[1-9]\d*$/.test(query.get('$top') ?? '')
    ? Number(query.get('$top'))
    : remaining.length;
  const page = remaining.slice(0, top);
  const $skiptoken = writePageToken(resourceKey(page.at(-1)?.id ?? ''));
  return {
    value: page.map(present),
    ...(page.length < remaining.length && { nextLink: call.linkWith({ $skiptoken }) }),
  };
}

function presentListEntry({
  id,
  name,
  type,
  location,
  tags,
  identity,
  otherMembers,
  createdAt,
  changedAt,
}: StoredResource): Json {
  return {
    id,
    name,
    type,
    location,
    tags,
    ...otherMembers,
    ...omitUndefined({ identity }),
    createdTime: createdAt,
    changedTime: changedAt,
    provisioningState: 'Succeeded',
  };
}

/** Namespaces whose resources do not appear in a group's list. */
const hiddenNamespaces = ['microsoft.authorization', 'microsoft.resources'];

/**
 * Whether a resource appears in its group's list: top-level resources do, children and extensions
 * do not.
 */
function appearsInGroupList({ id, type, group }: StoredResource): boolean {
  if (type === resourceGroupType || group === '' || kindOf(type).isProxyResource === true)
    return false;
  const [namespace = '', ...typeSegments] = type.split('/');
  return (
    typeSegments.length === 1 &&
    id.split(/\/providers\//i).length === 2 &&
    !hiddenNamespaces.includes(namespace.toLowerCase())
  );
}

/**
 * Parses the `$filter` of a list of resources: `resourceType`, `name`, `resourceGroup`, `location`,
 * `tagName` and `tagValue` with `eq`, joined by `and`.
 *
 * @throws ArmError 400 for anything else.
 */
function parseFilter(filter: string | null): (resource: StoredResource) => boolean {
  if (filter === null || filter === '') return () => true;
  const terms = splitTerms(filter).map((term) => {
    const [, name = '', value = ''] =
      /^\s*\(*(\w+)\s+eq\s+'((?:[^']|'')*)'\)*\s*$/i.exec(term) ?? [];
    const valuesOf = filterValues.get(name.toLowerCase());
    if (valuesOf === undefined)
      throw badRequest(
        'InvalidFilterInQueryString',
        `Invalid $filter '${filter}': allowed are resourceType, name, resourceGroup, location, tagName and tagValue with eq, joined by and.`,
      );
    return { name: name.toLowerCase(), value: value.replaceAll("''", "'"), valuesOf };
  });
  const tag = terms.find(({ name }) => name === 'tagname')?.value.toLowerCase();
  return (resource) =>
    terms.every(({ name, value, valuesOf }) =>
      name === 'tagvalue' && tag !== undefined
        ? tagsOf(resource).some(
            ([tagName, tagValue]) => tagName.toLowerCase() === tag && tagValue === value,
          )
        : valuesOf(resource).some((each) => each.toLowerCase() === value.toLowerCase()),
    );
}

/** The terms of a filter; an `and` in quotes joins none. */
function splitTerms(filter: string): readonly string[] {
  return filter.split(/ and (?=(?:[^']*'[^']*')*[^']*$)/i);
}

function tagsOf({ tags = {} }: StoredResource): readonly (readonly [string, string])[] {
  return Object.entries(tags);
}

/** The values of a resource that a term is compared with, by the term's name in lower case. */
const filterValues: ReadonlyMap<string, (resource: StoredResource) => readonly string[]> = new Map([
  ['resourcetype', ({ type }: StoredResource) => [type]],
  ['name', ({ name }: StoredResource) => [name]],
  ['resourcegroup', ({ group }: StoredResource) => [group]],
  ['location', ({ location = '' }: StoredResource) => [location]],
  ['tagname', (resource: StoredResource) => tagsOf(resource).map(([name]) => name)],
  ['tagvalue', (resource: StoredResource) => tagsOf(resource).map(([, value]) => value)],
]);
