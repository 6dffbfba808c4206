/** What a call is for: a change, a read, or the chatter of signing in. */
export type CallKind = 'change' | 'read' | 'sign-in';

const signIn = /\/(oauth2|\.well-known|sign-in|discovery|msi)(\/|$)/i;
/** Calls by POST that change nothing. */
const reading = /\/(list\w*|check\w*|get\w*|validate\w*|evaluate\w*|query|\$batch)(\?|$)/i;

/** The kind of a call. */
export function callKind(method: string, path: string): CallKind {
  const [address = ''] = path.split('?', 1);
  if (signIn.test(address)) return 'sign-in';
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'POST' && reading.test(address) ? 'read' : 'change';
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'read',
  HEAD: 'look for',
  PUT: 'write',
  PATCH: 'change',
  DELETE: 'delete',
  POST: 'create',
};
/** Calls by POST that are named by a verb of their own: `addPassword`. */
const action = /^(add|remove|set|assign|revoke|restore|start|stop|reset|update)[A-Z]/;
const id = /^(\{?[0-9a-f]{8}-[0-9a-f-]{27}\}?|[\w-]{30,})$/i;

/**
 * A call in words: `write container app storefront`, `create group Shoppers`.
 *
 * @param nameOf the name of an object by its id.
 * @param body the request's body in JSON
 */
export function describeCall(
  { method, path, request }: { method: string; path: string; request?: string | undefined },
  nameOf: (objectId: string) => string | undefined = () => undefined,
): string {
  const [address = ''] = path.split('?', 1);
  const steps = address
    .split('/')
    .filter((step) => step !== '')
    .map(decode);
  if (callKind(method, path) === 'sign-in') return signInMeaning(steps, method);
  const useful = steps.filter((step) => !/^(v1(\.0)?|beta|providers|Microsoft\.\w+)$/i.test(step));
  const last = useful.at(-1) ?? '/';
  const before = useful.at(-2);
  const verb = verbs[method] ?? method.toLowerCase();
  const shown = (step: string): string =>
    nameOf(step) ?? (id.test(step) ? `${step.slice(0, 8)}…` : step);
  const owner = useful.at(-3);
  if (last === '$ref' && before !== undefined) return referenceMeaning(useful, method, shown);
  if (last === 'current' && before !== undefined && owner !== undefined)
    return `${verb} ${singular(words(before))} of ${shown(owner)}`;
  const isObject = useful.length % 2 === 0 || id.test(last);
  if (isObject && before !== undefined) return `${verb} ${singular(words(before))} ${shown(last)}`;
  const name = nameIn(request);
  const of = before === undefined || !id.test(before) ? '' : ` of ${shown(before)}`;
  if (method === 'POST' && action.test(last)) return `${words(last)}${of}`;
  if (method === 'POST')
    return reading.test(address)
      ? `${words(last)}${before === undefined ? '' : ` of ${shown(before)}`}`
      : `${verb} ${singular(words(last))}${name === undefined ? '' : ` ${name}`}${of}`;
  return `${method === 'GET' ? 'list' : verb} ${words(last)}${of}`;
}

/** `add member to Shoppers`: a reference to an object, below the one that has it. */
function referenceMeaning(
  steps: readonly string[],
  method: string,
  shown: (step: string) => string,
): string {
  const isRemoved = method === 'DELETE';
  const [owner = '', relation = ''] = steps.slice(isRemoved ? -4 : -3);
  const change = isRemoved ? ['remove', 'from'] : ['add', 'to'];
  return `${change[0]} ${singular(words(relation))} ${change[1]} ${shown(owner)}`;
}

function signInMeaning(steps: readonly string[], method: string): string {
  const last = steps.at(-1) ?? '';
  if (last === 'token') return 'get a token';
  if (steps.includes('authorize')) return 'start or finish a sign-in';
  if (steps.includes('sign-in')) return method === 'POST' ? 'choose a person' : 'show the people';
  if (steps.includes('logout')) return 'sign out';
  if (last === 'keys') return 'read the signing keys';
  return 'read the provider’s addresses';
}

/** The part of a path that says something: no subscription, no provider, no version. */
export function abbreviatePath(path: string): string {
  return path
    .replace(/[?&]api-version=[^&]*/, '')
    .replace(/^\/subscriptions\/[^/]+(?=\/.)/i, '…')
    .replace(/\/providers\/Microsoft\.\w+/i, '');
}

/** `containerApps` as `container apps`. */
function words(step: string): string {
  return step
    .replace(/^\$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function singular(text: string): string {
  return text.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

function nameIn(body: string | undefined): string | undefined {
  return /"(?:displayName|name)": "([^"]+)"/.exec(body ?? '')?.[1];
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
