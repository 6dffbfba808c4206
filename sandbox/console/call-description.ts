/** What a call is for: a change, a read, or a step of a sign-in. */
export type CallKind = 'change' | 'read' | 'sign-in';

const signInPath = /\/(oauth2|\.well-known|sign-in|discovery|msi)(\/|$)/i;
/** Paths of POST requests that change nothing. */
const readingPath = /\/(list\w*|check\w*|get\w*|validate\w*|evaluate\w*|query|\$batch)(\?|$)/i;

/** The kind of a call. */
export function callKind(method: string, path: string): CallKind {
  const [address = ''] = path.split('?', 1);
  if (signInPath.test(address)) return 'sign-in';
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'POST' && readingPath.test(address) ? 'read' : 'change';
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'read',
  HEAD: 'look for',
  PUT: 'write',
  PATCH: 'change',
  DELETE: 'delete',
  POST: 'create',
};
/** Last segments of POST requests that are verbs themselves: `addPassword`. */
const actionSegment = /^(add|remove|set|assign|revoke|restore|start|stop|reset|update)[A-Z]/;
const idSegment = /^(\{?[0-9a-f]{8}-[0-9a-f-]{27}\}?|[\w-]{30,})$/i;

/**
 * A call in words: `write container app storefront`, `create group Shoppers`.
 *
 * @param call its method and path, and the request's body in JSON.
 * @param nameOf the name of an object by its id.
 */
export function describeCall(
  { method, path, request }: { method: string; path: string; request?: string | undefined },
  nameOf: (objectId: string) => string | undefined = () => undefined,
): string {
  const [address = ''] = path.split('?', 1);
  const segments = address
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode);
  if (callKind(method, path) === 'sign-in') return describeSignInCall(segments, method);
  // without versions and providers, collections and their objects alternate: groups/ID/members/ID
  const resourceSegments = segments.filter(
    (segment) => !/^(v1(\.0)?|beta|providers|Microsoft\.\w+)$/i.test(segment),
  );
  const last = resourceSegments.at(-1) ?? '/';
  const [ownerOfParent, parent] = [resourceSegments.at(-3), resourceSegments.at(-2)];
  const verb = verbs[method] ?? method.toLowerCase();
  const label = (segment: string): string =>
    nameOf(segment) ?? (idSegment.test(segment) ? `${segment.slice(0, 8)}…` : segment);
  if (last === '$ref' && parent !== undefined)
    return describeReference(resourceSegments, method, label);
  // such as the auth setting of an app: …/containerApps/storefront/authConfigs/current
  if (last === 'current' && parent !== undefined && ownerOfParent !== undefined)
    return `${verb} ${singular(words(parent))} of ${label(ownerOfParent)}`;
  const isObject = resourceSegments.length % 2 === 0 || idSegment.test(last);
  if (isObject && parent !== undefined) return `${verb} ${singular(words(parent))} ${label(last)}`;
  const name = nameIn(request);
  const ofParent = parent === undefined || !idSegment.test(parent) ? '' : ` of ${label(parent)}`;
  if (method === 'POST' && actionSegment.test(last)) return `${words(last)}${ofParent}`;
  if (method === 'POST')
    return readingPath.test(address)
      ? `${words(last)}${parent === undefined ? '' : ` of ${label(parent)}`}`
      : `${verb} ${singular(words(last))}${name === undefined ? '' : ` ${name}`}${ofParent}`;
  return `${method === 'GET' ? 'list' : verb} ${words(last)}${ofParent}`;
}

/**
 * `add member to Shoppers`: a change of a reference, `groups/ID/members/$ref`, or to remove one,
 * `groups/ID/members/ID/$ref`.
 */
function describeReference(
  segments: readonly string[],
  method: string,
  label: (segment: string) => string,
): string {
  const isRemoved = method === 'DELETE';
  const [owner = '', relation = ''] = segments.slice(isRemoved ? -4 : -3);
  const [verb, preposition] = isRemoved ? ['remove', 'from'] : ['add', 'to'];
  return `${verb} ${singular(words(relation))} ${preposition} ${label(owner)}`;
}

function describeSignInCall(segments: readonly string[], method: string): string {
  const last = segments.at(-1) ?? '';
  if (last === 'token') return 'get a token';
  if (segments.includes('authorize')) return 'start or finish a sign-in';
  if (segments.includes('sign-in'))
    return method === 'POST' ? 'choose a person' : 'show the people';
  if (segments.includes('logout')) return 'sign out';
  if (last === 'keys') return 'read the signing keys';
  return 'read the provider’s addresses';
}

/** A path without subscription, provider and version, for a narrow column. */
export function abbreviatePath(path: string): string {
  return path
    .replace(/[?&]api-version=[^&]*/, '')
    .replace(/^\/subscriptions\/[^/]+(?=\/.)/i, '…')
    .replace(/\/providers\/Microsoft\.\w+/i, '');
}

/** `containerApps` as `container apps`. */
function words(segment: string): string {
  return segment
    .replace(/^\$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function singular(text: string): string {
  return text.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** The name of the object in a body of JSON. */
function nameIn(body: string | undefined): string | undefined {
  return /"(?:displayName|name)": "([^"]+)"/.exec(body ?? '')?.[1];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
