import { badRequest } from './errors.js';
import { groupType } from './groups.js';
import { kindOf } from './kinds/index.js';
import type { StoredResource } from './store.js';

/** Namespaces whose resources aren't listed among what a group holds. */
const unlisted = ['microsoft.authorization', 'microsoft.resources'];

/** Whether a resource is listed among what its group holds: one of its own, no part and no extension of another. */
export function isListed({ id, type, group }: StoredResource): boolean {
  if (type === groupType || group === '' || kindOf(type).child === true) return false;
  const [namespace = '', ...words] = type.split('/');
  return words.length === 1 && id.split(/\/providers\//i).length === 2 && !unlisted.includes(namespace.toLowerCase());
}

/**
 * Reads the `$filter` of a list of resources: `resourceType`, `name`, `resourceGroup`, `location`, `tagName` and `tagValue` with `eq`,
 * joined by `and`.
 *
 * @throws ArmError 400 for anything else.
 */
export function readContentsFilter(filter: unknown): (resource: StoredResource) => boolean {
  if (filter === undefined || filter === '') return () => true;
  const terms = typeof filter === 'string' ? filter.split(/ and /i) : [''];
  const wanted = new Map(
    terms.map((term) => {
      const [, name, value] = /^\s*\(*(\w+)\s+eq\s+'((?:[^']|'')*)'\)*\s*$/i.exec(term) ?? [];
      if (name === undefined || value === undefined || !(name.toLowerCase() in values))
        throw badRequest(
          'InvalidFilterInQueryString',
          `Invalid $filter '${String(filter)}': allowed are resourceType, name, resourceGroup, location, tagName and tagValue with eq, joined by and.`,
        );
      return [name.toLowerCase() as keyof typeof values, value.replaceAll("''", "'")];
    }),
  );
  const tag = wanted.get('tagname');
  return (resource) =>
    [...wanted].every(([name, value]) =>
      name === 'tagvalue' && tag !== undefined
        ? resource.tags?.[tag] === value
        : values[name](resource).some((each) => each.toLowerCase() === value.toLowerCase()),
    );
}

const values = {
  resourcetype: ({ type }: StoredResource) => [type],
  name: ({ name }: StoredResource) => [name],
  resourcegroup: ({ group }: StoredResource) => [group],
  location: ({ location = '' }: StoredResource) => [location],
  tagname: ({ tags = {} }: StoredResource) => Object.keys(tags),
  tagvalue: ({ tags = {} }: StoredResource) => Object.values(tags),
};
