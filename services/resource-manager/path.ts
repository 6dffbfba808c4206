/** A request's path below `/subscriptions`, understood. Ids keep the spelling of the request. */
export type ArmPath =
  | { readonly at: 'subscriptions' }
  | { readonly at: 'subscription'; readonly subscription: string }
  | { readonly at: 'locations'; readonly subscription: string }
  | { readonly at: 'groups'; readonly subscription: string }
  | { readonly at: 'group'; readonly subscription: string; readonly group: string }
  | { readonly at: 'contents'; readonly subscription: string; readonly group?: string }
  | { readonly at: 'namespaces'; readonly subscription: string; readonly namespace?: string; readonly action?: string }
  | {
      readonly at: 'collection';
      readonly subscription: string;
      /** Absent: of the whole subscription. */
      readonly group?: string;
      readonly type: string;
      /** The resource that the collection belongs to: an app's `authConfigs`. */
      readonly parent?: string;
    }
  | {
      readonly at: 'resource';
      readonly subscription: string;
      /** Empty for a resource of the subscription itself. */
      readonly group: string;
      readonly type: string;
      readonly name: string;
      readonly id: string;
      /** The resource that this one is part of, or that it extends (`{id}/providers/Microsoft.Authorization/locks/{name}`). */
      readonly parent?: string;
      /** Whether it extends its parent rather than being a part of its type. */
      readonly extension?: true;
      /** `listSecrets`, for a POST. */
      readonly action?: string;
    };

/**
 * Takes a path apart; fixed words in any letter case, names decoded.
 *
 * @param isAction whether a trailing word after a resource is an action (a POST), not a collection of children.
 * @returns undefined for anything that isn't a path of the resource manager.
 */
export function parsePath(path: string, isAction: boolean): ArmPath | undefined {
  const parts = decode(path);
  if (parts === undefined || !same(parts[0], 'subscriptions')) return undefined;
  const [, subscription, word, ...rest] = parts;
  if (subscription === undefined) return { at: 'subscriptions' };
  if (word === undefined) return { at: 'subscription', subscription };
  if (same(word, 'resources') && rest.length === 0) return { at: 'contents', subscription };
  if (same(word, 'locations') && rest.length === 0) return { at: 'locations', subscription };
  if (same(word, 'providers')) return inProviders(subscription, rest, isAction);
  if (!same(word, 'resourcegroups')) return undefined;
  const [group, next, ...inside] = rest;
  if (group === undefined) return { at: 'groups', subscription };
  if (next === undefined) return { at: 'group', subscription, group };
  if (same(next, 'resources') && inside.length === 0) return { at: 'contents', subscription, group };
  if (!same(next, 'providers')) return undefined;
  return below({ subscription, group }, `/subscriptions/${subscription}/resourceGroups/${group}`, inside, isAction);
}

function inProviders(subscription: string, parts: string[], isAction: boolean): ArmPath | undefined {
  const [namespace, type, ...rest] = parts;
  if (namespace === undefined) return { at: 'namespaces', subscription };
  if (type === undefined) return { at: 'namespaces', subscription, namespace };
  if (rest.length === 0 && (same(type, 'register') || same(type, 'unregister')))
    return { at: 'namespaces', subscription, namespace, action: type.toLowerCase() };
  return below({ subscription, group: '' }, `/subscriptions/${subscription}`, parts, isAction);
}

/** What is behind a scope's `/providers`: pairs of type and name, and further `/providers` for what extends a resource. */
function below(scope: { subscription: string; group: string }, scopeId: string, parts: string[], isAction: boolean): ArmPath | undefined {
  const [namespace, ...words] = parts;
  if (namespace === undefined || words.length === 0) return undefined;
  let type = namespace;
  let id = `${scopeId}/providers/${namespace}`;
  let resource: { parent?: string; extension?: true; name: string } | undefined;
  let owner: { parent: string; extension?: true } | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const [word, name] = [words[at] as string, words[at + 1]];
    if (resource !== undefined && same(word, 'providers')) {
      if (name === undefined || at + 2 >= words.length) return undefined;
      [type, owner, resource] = [name, { parent: id, extension: true }, undefined];
      id = `${id}/providers/${name}`;
      continue;
    }
    if (name === undefined) return ending(scope, { type, id, word, owner, resource }, isAction);
    type = `${type}/${word}`;
    id = `${id}/${word}/${name}`;
    resource = { ...owner, name };
    owner = { parent: id };
  }
  return resource === undefined ? undefined : { at: 'resource', ...scope, type, id, ...resource };
}

/** A path whose last word has no name: an action of a resource, or a collection. */
function ending(
  { subscription, group }: { subscription: string; group: string },
  {
    type,
    id,
    word,
    owner,
    resource,
  }: {
    type: string;
    id: string;
    word: string;
    owner: { parent: string } | undefined;
    resource: { name: string; parent?: string; extension?: true } | undefined;
  },
  isAction: boolean,
): ArmPath {
  if (isAction && resource !== undefined) return { at: 'resource', subscription, group, type, id, ...resource, action: word.toLowerCase() };
  const place = group === '' ? {} : { group };
  return { at: 'collection', subscription, ...place, type: `${type}/${word}`, ...(owner === undefined ? {} : { parent: owner.parent }) };
}

function decode(path: string): string[] | undefined {
  const parts = path.split('/').slice(1);
  while (parts.at(-1) === '') parts.pop();
  try {
    const decoded = parts.map(decodeURIComponent);
    return decoded.some((part) => part === '' || part.includes('/')) ? undefined : decoded;
  } catch {
    return undefined; // a broken percent sign: not a path of ours, answered with 404
  }
}

function same(given: string | undefined, word: string): boolean {
  return given?.toLowerCase() === word;
}
