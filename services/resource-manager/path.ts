/** A request's path below `/subscriptions`, understood. Ids keep the spelling of the request. */
export type ArmPath =
  | { readonly at: 'subscriptions' }
  | { readonly at: 'subscription'; readonly subscription: string }
  | { readonly at: 'groups'; readonly subscription: string }
  | { readonly at: 'group'; readonly subscription: string; readonly group: string }
  | { readonly at: 'contents'; readonly subscription: string; readonly group?: string }
  | { readonly at: 'namespaces'; readonly subscription: string; readonly namespace?: string; readonly action?: string }
  | {
      readonly at: 'collection';
      readonly subscription: string;
      readonly group?: string;
      readonly type: string;
      /** The resource that the collection belongs to: an app's `authConfigs`. */
      readonly parent?: string;
    }
  | {
      readonly at: 'resource';
      readonly subscription: string;
      readonly group: string;
      readonly type: string;
      readonly name: string;
      readonly id: string;
      readonly parent?: string;
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
  if (same(word, 'providers')) return inProviders(subscription, rest);
  if (!same(word, 'resourcegroups')) return undefined;
  const [group, next, ...below] = rest;
  if (group === undefined) return { at: 'groups', subscription };
  if (next === undefined) return { at: 'group', subscription, group };
  if (same(next, 'resources') && below.length === 0) return { at: 'contents', subscription, group };
  if (!same(next, 'providers')) return undefined;
  return inGroup(subscription, group, below, isAction);
}

function inProviders(subscription: string, [namespace, type, ...rest]: string[]): ArmPath | undefined {
  if (namespace === undefined) return { at: 'namespaces', subscription };
  if (type === undefined) return { at: 'namespaces', subscription, namespace };
  if (rest.length > 0) return undefined;
  if (same(type, 'register') || same(type, 'unregister')) return { at: 'namespaces', subscription, namespace, action: type.toLowerCase() };
  return { at: 'collection', subscription, type: `${namespace}/${type}` };
}

function inGroup(subscription: string, group: string, parts: string[], isAction: boolean): ArmPath | undefined {
  const [namespace, ...words] = parts;
  if (namespace === undefined || words.length === 0) return undefined;
  let type = namespace;
  let id = `/subscriptions/${subscription}/resourceGroups/${group}/providers/${namespace}`;
  let parent: string | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const [word, name] = [words[at] as string, words[at + 1]];
    if (name === undefined) {
      const owner = words[at - 1];
      if (isAction && owner !== undefined)
        return { at: 'resource', subscription, group, type, name: owner, id, ...parentOf(parent), action: word.toLowerCase() };
      return { at: 'collection', subscription, group, type: `${type}/${word}`, ...(at === 0 ? {} : { parent: id }) };
    }
    parent = at === 0 ? undefined : id;
    type = `${type}/${word}`;
    id = `${id}/${word}/${name}`;
  }
  return { at: 'resource', subscription, group, type, name: words.at(-1) as string, id, ...parentOf(parent) };
}

function parentOf(parent: string | undefined): { parent?: string } {
  return parent === undefined ? {} : { parent };
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
