import { readTags } from './envelope.js';
import { invalidContent } from './errors.js';
import type { ResourceGroups } from './resource-groups.js';
import { asObject, nonEmptyText } from './json.js';
import { parsePath, type ResourcePath } from './path.js';
import type { Resources } from './resources.js';
import type { Json, StoredResource } from './store.js';

/**
 * `{scope}/providers/Microsoft.Resources/tags/default`: the tags of a group or a resource as a
 * resource of their own.
 */
export type TagsPath = Omit<ResourcePath, 'kind'> & { readonly kind: 'tags' };

type Tags = Readonly<Record<string, string>>;

/** The tags resource of a path; undefined for other paths. */
export function tagsPath(path: ResourcePath): TagsPath | undefined {
  const isTags =
    path.type.toLowerCase() === 'microsoft.resources/tags' && path.name.toLowerCase() === 'default';
  return isTags && (path.group !== '' || path.parent !== undefined)
    ? { ...path, kind: 'tags' }
    : undefined;
}

/** The tags after a PUT, PATCH or DELETE. @throws ArmError 400 */
export function tagsAfterChange(method: string, body: Json, existing: Tags): Tags {
  if (method === 'DELETE') return {};
  const properties = readTags(asObject(body['properties']) ?? {});
  if (method === 'PUT') return properties;
  const operation = nonEmptyText(body['operation']);
  // The name of a tag is the same in any letter case, its value is not.
  const isListed = (name: string, value?: string): boolean =>
    Object.entries(properties).some(
      ([otherName, otherValue]) =>
        name.toLowerCase() === otherName.toLowerCase() &&
        (value === undefined || value === otherValue),
    );
  switch (operation?.toLowerCase()) {
    case 'merge':
      return { ...without(existing, ([name]) => isListed(name)), ...properties };
    case 'replace':
      return properties;
    case 'delete':
      return without(existing, ([name, value]) => isListed(name, value));
  }
  throw invalidContent(
    `'operation' is '${operation ?? ''}': allowed are Merge, Replace and Delete.`,
  );
}

function without(tags: Tags, isRemoved: (tag: [name: string, value: string]) => boolean): Tags {
  return Object.fromEntries(Object.entries(tags).filter((tag) => !isRemoved(tag)));
}

/**
 * Returns the tags of a scope; with a change, changes them first.
 *
 * @throws ArmError 404, 409 for a locked scope.
 */
export async function readOrChangeTags(
  { id, name, subscription, group, parent }: TagsPath,
  { groups, resources }: { readonly groups: ResourceGroups; readonly resources: Resources },
  change?: (existing: Tags) => Tags,
): Promise<Json> {
  const owner = parent === undefined ? undefined : parsePath(parent);
  const scope = owner?.kind === 'resource' ? owner : undefined;
  let { tags = {} } =
    scope === undefined
      ? await groups.get({ subscription, group })
      : (await resources.get(scope)).resource;
  if (change !== undefined) {
    tags = change(tags);
    await (scope === undefined
      ? groups.patch({ subscription, group }, { tags })
      : resources.patch(scope, { tags }));
  }
  return { id, name, type: 'Microsoft.Resources/tags', properties: { tags } };
}

/** The tags of a subscription's resources, each with its values and how often they are used. */
export function tagUsage(subscription: string, resources: readonly StoredResource[]): Json[] {
  const counts = new Map<string, Map<string, number>>();
  for (const [name, value] of resources.flatMap(({ tags = {} }) => Object.entries(tags))) {
    const values = counts.get(name) ?? new Map<string, number>();
    counts.set(name, values.set(value, (values.get(value) ?? 0) + 1));
  }
  const total = (value: number): Json => ({ type: 'Total', value });
  return [...counts].map(([tagName, values]) => {
    const id = `/subscriptions/${subscription}/tagNames/${tagName}`;
    const tagValues = [...values].map(([tagValue, count]) => ({
      id: `${id}/tagValues/${tagValue}`,
      tagValue,
      count: total(count),
    }));
    return {
      id,
      tagName,
      count: total(tagValues.reduce((sum, { count }) => sum + Number(count['value']), 0)),
      values: tagValues,
    };
  });
}
