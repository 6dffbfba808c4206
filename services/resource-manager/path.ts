import { isSingleDocument } from './generic/provided-children.js';

/** A parsed path below `/subscriptions`. Ids keep the spelling of the request. */
export type ArmPath =
  | { readonly at: 'subscriptions' }
  | (InSubscription & {
      readonly at: 'subscription' | 'locations' | 'groups' | 'namespaces' | 'tagNames';
    })
  | (InSubscription & { readonly at: 'group' | 'template'; readonly group: string })
  | (InSubscription & { readonly at: 'contents'; readonly group?: string })
  | (InSubscription & { readonly at: 'namespace'; readonly namespace: string })
  /** Registers or unregisters a namespace. */
  | (InSubscription & {
      readonly at: 'registration';
      readonly namespace: string;
      readonly action: string;
    })
  | CollectionPath
  | ResourcePath
  /** `POST {id}/listSecrets`, with the action in lower case. */
  | { readonly at: 'action'; readonly resource: ResourcePath; readonly action: string }
  /** The operation that a write started. */
  | { readonly at: 'operation'; readonly type: string; readonly id: string; readonly name: string };

interface InSubscription {
  readonly subscription: string;
}

/** The collection of a type. */
export interface CollectionPath extends InSubscription {
  readonly at: 'collection';
  /** Absent for the whole subscription. */
  readonly group?: string;
  readonly type: string;
  /** The parent of the collection, such as the app of `authConfigs`. */
  readonly parent?: string;
}

/** A single resource. */
export interface ResourcePath extends InSubscription {
  readonly at: 'resource';
  /** Empty for a resource of the subscription. */
  readonly group: string;
  readonly type: string;
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
  if (
    equalsIgnoringCase(parts?.[0], 'providers') &&
    equalsIgnoringCase(parts?.[2], 'roledefinitions')
  )
    return parseBelowScope({ subscription: '', group: '' }, '', parts?.slice(1) ?? [], lastWord);
  if (parts === undefined || !equalsIgnoringCase(parts[0], 'subscriptions')) return undefined;
  const [, subscription, word, ...rest] = parts;
  if (subscription === undefined) return { at: 'subscriptions' };
  if (word === undefined) return { at: 'subscription', subscription };
  if (equalsIgnoringCase(word, 'resources') && rest.length === 0)
    return { at: 'contents', subscription };
  if (equalsIgnoringCase(word, 'locations') && rest.length === 0)
    return { at: 'locations', subscription };
  if (equalsIgnoringCase(word, 'tagnames') && rest.length === 0)
    return { at: 'tagNames', subscription };
  if (equalsIgnoringCase(word, 'providers')) return parseProviders(subscription, rest, lastWord);
  if (!equalsIgnoringCase(word, 'resourcegroups')) return undefined;
  const [group, next, ...inside] = rest;
  if (group === undefined) return { at: 'groups', subscription };
  if (next === undefined) return { at: 'group', subscription, group };
  if (equalsIgnoringCase(next, 'resources') && inside.length === 0)
    return { at: 'contents', subscription, group };
  if (lastWord === 'action' && equalsIgnoringCase(next, 'exporttemplate') && inside.length === 0)
    return { at: 'template', subscription, group };
  if (!equalsIgnoringCase(next, 'providers')) return undefined;
  return parseBelowScope(
    { subscription, group },
    `/subscriptions/${subscription}/resourceGroups/${group}`,
    inside,
    lastWord,
  );
}

function parseProviders(
  subscription: string,
  parts: string[],
  lastWord: LastWord,
): ArmPath | undefined {
  const [namespace, type, ...rest] = parts;
  if (namespace === undefined) return { at: 'namespaces', subscription };
  if (type === undefined) return { at: 'namespace', subscription, namespace };
  if (
    rest.length === 0 &&
    (equalsIgnoringCase(type, 'register') || equalsIgnoringCase(type, 'unregister'))
  )
    return { at: 'registration', subscription, namespace, action: type.toLowerCase() };
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
  const [namespace, ...words] = parts;
  if (namespace === undefined || words.length === 0) return undefined;
  let type = namespace;
  let id = `${scopeId}/providers/${namespace}`;
  let resource: ResourcePath | undefined;
  let parentLink: { parent: string; extension?: true } | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const [word, name] = [words[at] as string, words[at + 1]];
    if (resource !== undefined && equalsIgnoringCase(word, 'providers')) {
      if (name === undefined || at + 2 >= words.length) return undefined;
      [type, parentLink, resource] = [name, { parent: id, extension: true }, undefined];
      id = `${id}/providers/${name}`;
      continue;
    }
    // The last segment has no name: an action of a resource, or a collection.
    if (name === undefined && resource !== undefined && isSingleDocument(`${type}/${word}`))
      return { ...resource, type: `${type}/${word}`, id: `${id}/${word}`, name: word, parent: id };
    if (name === undefined) {
      if (lastWord === 'action' && resource !== undefined)
        return { at: 'action', resource, action: word.toLowerCase() };
      const parent = parentLink === undefined ? {} : { parent: parentLink.parent };
      return {
        at: 'collection',
        subscription,
        ...(group !== '' && { group }),
        type: `${type}/${word}`,
        ...parent,
      };
    }
    type = `${type}/${word}`;
    id = `${id}/${word}/${name}`;
    resource = { at: 'resource', subscription, group, type, id, ...parentLink, name };
    parentLink = { parent: id };
  }
  return resource !== undefined && operationType.test(type)
    ? { at: 'operation', type, id, name: resource.name }
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

function equalsIgnoringCase(text: string | undefined, word: string): boolean {
  return text?.toLowerCase() === word;
}
