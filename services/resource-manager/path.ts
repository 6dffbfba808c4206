import { isSingleDocument } from './generic/default-children.js';

/** A parsed path below `/subscriptions`. Ids keep the spelling of the request. */
export type ArmPath =
  /** The list of subscriptions. */
  | { readonly kind: 'subscriptions' }
  /** A subscription, or a list in it: `groups` are resource groups, `namespaces` providers. */
  | (InSubscription & {
      readonly kind: 'subscription' | 'locations' | 'groups' | 'namespaces' | 'tagNames';
    })
  /** A resource group by its name; `template`: its export as a template. */
  | (InSubscription & { readonly kind: 'group' | 'template'; readonly group: string })
  /** All resources of a group, or without one of the subscription. */
  | (InSubscription & { readonly kind: 'contents'; readonly group?: string })
  /** A resource provider: `Microsoft.App`. */
  | (InSubscription & { readonly kind: 'namespace'; readonly namespace: string })
  /** Registers or unregisters a namespace. */
  | (InSubscription & {
      readonly kind: 'registration';
      readonly namespace: string;
      /** `register` or `unregister`. */
      readonly action: string;
    })
  | CollectionPath
  | ResourcePath
  /** `POST {id}/listSecrets`, with the action in lower case. */
  | { readonly kind: 'action'; readonly resource: ResourcePath; readonly action: string }
  /** The operation that a write started. */
  | {
      readonly kind: 'operation';
      readonly type: string;
      readonly id: string;
      readonly name: string;
    };

interface InSubscription {
  /** The id; empty for a path that begins with `/providers`. */
  readonly subscription: string;
}

/** The collection of a type. */
export interface CollectionPath extends InSubscription {
  readonly kind: 'collection';
  /** Absent for the whole subscription. */
  readonly group?: string;
  /** `Microsoft.App/containerApps`, as the request spells it. */
  readonly type: string;
  /** The parent of the collection, such as the app of `authConfigs`. */
  readonly parent?: string;
}

/** A single resource. */
export interface ResourcePath extends InSubscription {
  readonly kind: 'resource';
  /** Empty for a resource of the subscription. */
  readonly group: string;
  /** With the types of its parents: `Microsoft.App/containerApps/authConfigs`. */
  readonly type: string;
  /** The last segment of the id. */
  readonly name: string;
  readonly id: string;
  /**
   * The parent, or the resource that this one extends
   * (`{id}/providers/Microsoft.Authorization/locks/{name}`).
   */
  readonly parent?: string;
  /** Whether it extends its parent, not a child type of it. */
  readonly extension?: true;
}

/** What the last word of a path after a resource is. */
type LastWord = 'collection' | 'action';

const operationType = /^[^/]+\/locations\/operation(statuses|results)$/i;

/**
 * Parses a path; letter case does not matter in its fixed words, and names are decoded.
 *
 * @param lastWord what a last word after a resource is: a collection of children, or an action (in
 *   a POST).
 * @returns undefined for a path that the resource manager does not have.
 */
export function parsePath(path: string, lastWord: LastWord = 'collection'): ArmPath | undefined {
  const parts = decodeSegments(path);
  if (isSegment(parts?.[0], 'providers') && isSegment(parts?.[2], 'roledefinitions'))
    return parseBelowScope({ subscription: '', group: '' }, '', parts?.slice(1) ?? [], lastWord);
  if (parts === undefined || !isSegment(parts[0], 'subscriptions')) return undefined;
  const [, subscription, segment, ...rest] = parts;
  if (subscription === undefined) return { kind: 'subscriptions' };
  if (segment === undefined) return { kind: 'subscription', subscription };
  if (isSegment(segment, 'resources') && rest.length === 0)
    return { kind: 'contents', subscription };
  if (isSegment(segment, 'locations') && rest.length === 0)
    return { kind: 'locations', subscription };
  if (isSegment(segment, 'tagnames') && rest.length === 0)
    return { kind: 'tagNames', subscription };
  if (isSegment(segment, 'providers')) return parseProviders(subscription, rest, lastWord);
  if (!isSegment(segment, 'resourcegroups')) return undefined;
  const [group, next, ...partsInGroup] = rest;
  if (group === undefined) return { kind: 'groups', subscription };
  if (next === undefined) return { kind: 'group', subscription, group };
  if (isSegment(next, 'resources') && partsInGroup.length === 0)
    return { kind: 'contents', subscription, group };
  if (lastWord === 'action' && isSegment(next, 'exporttemplate') && partsInGroup.length === 0)
    return { kind: 'template', subscription, group };
  if (!isSegment(next, 'providers')) return undefined;
  return parseBelowScope(
    { subscription, group },
    `/subscriptions/${subscription}/resourceGroups/${group}`,
    partsInGroup,
    lastWord,
  );
}

function parseProviders(
  subscription: string,
  parts: string[],
  lastWord: LastWord,
): ArmPath | undefined {
  const [namespace, type, ...rest] = parts;
  if (namespace === undefined) return { kind: 'namespaces', subscription };
  if (type === undefined) return { kind: 'namespace', subscription, namespace };
  if (rest.length === 0 && (isSegment(type, 'register') || isSegment(type, 'unregister')))
    return { kind: 'registration', subscription, namespace, action: type.toLowerCase() };
  return parseBelowScope(
    { subscription, group: '' },
    `/subscriptions/${subscription}`,
    parts,
    lastWord,
  );
}

/**
 * The part after a scope's `/providers`: pairs of type and name, and more `/providers` for
 * extensions.
 */
function parseBelowScope(
  { subscription, group }: { subscription: string; group: string },
  scopeId: string,
  parts: string[],
  lastWord: LastWord,
): ArmPath | undefined {
  const [namespace, ...segments] = parts;
  if (namespace === undefined || segments.length === 0) return undefined;
  let type = namespace;
  let id = `${scopeId}/providers/${namespace}`;
  let resource: ResourcePath | undefined;
  let parentLink: { parent: string; extension?: true } | undefined;
  for (let index = 0; index < segments.length; index += 2) {
    const [segment, name] = [segments[index] as string, segments[index + 1]];
    if (resource !== undefined && isSegment(segment, 'providers')) {
      if (name === undefined || index + 2 >= segments.length) return undefined;
      [type, parentLink, resource] = [name, { parent: id, extension: true }, undefined];
      id = `${id}/providers/${name}`;
      continue;
    }
    // The last segment has no name: a single document or an action of a resource, or a collection.
    if (name === undefined && resource !== undefined && isSingleDocument(`${type}/${segment}`))
      return {
        ...resource,
        type: `${type}/${segment}`,
        id: `${id}/${segment}`,
        name: segment,
        parent: id,
      };
    if (name === undefined) {
      if (lastWord === 'action' && resource !== undefined)
        return { kind: 'action', resource, action: segment.toLowerCase() };
      const parent = parentLink === undefined ? {} : { parent: parentLink.parent };
      return {
        kind: 'collection',
        subscription,
        ...(group !== '' && { group }),
        type: `${type}/${segment}`,
        ...parent,
      };
    }
    type = `${type}/${segment}`;
    id = `${id}/${segment}/${name}`;
    resource = { kind: 'resource', subscription, group, type, id, ...parentLink, name };
    parentLink = { parent: id };
  }
  return resource !== undefined && operationType.test(type)
    ? { kind: 'operation', type, id, name: resource.name }
    : resource;
}

function decodeSegments(path: string): string[] | undefined {
  const parts = path.replace(/^\/+/, '').split('/');
  while (parts.at(-1) === '') parts.pop();
  try {
    const decoded = parts.map(decodeURIComponent);
    return decoded.some((part) => part === '' || part.includes('/')) ? undefined : decoded;
  } catch {
    return undefined; // invalid percent-encoding: unknown path, answered with 404
  }
}

function isSegment(text: string | undefined, lowerCaseSegment: string): boolean {
  return text?.toLowerCase() === lowerCaseSegment;
}
