import type { Access } from '../authorization/access.js';
import { authorize } from '../authorization/access.js';
import { denied, badRequest, methodNotAllowed, pathNotFound } from './errors.js';
import type { PathKey, PathToken } from './path.js';
import { parsePath } from './path.js';
import { PatternNode } from './pattern-tree.js';
import type { Reply } from './reply.js';
import type { RequestParts } from './request.js';
import { DirectoryRequest } from './request.js';

/** What an operation does. */
export type Handler = (request: DirectoryRequest) => Promise<Reply> | Reply;

/** What throttling counts an operation as. */
export interface RouteOptions {
  /** Resource units before the query options are looked at. @default 1 */
  readonly cost?: number;
}

interface Route extends RouteOptions {
  readonly method: string;
  readonly access: Access;
  readonly handler: Handler;
  /** What the parameters are called. */
  readonly names: readonly (string | undefined)[];
}

/** A request's route with the parameters of its path. */
export interface Match {
  readonly route: { readonly method: string; readonly cost?: number; readonly access: Access; readonly handler: Handler };
  readonly parameters: ReadonlyMap<string, PathKey>;
  readonly me: boolean;
}

/**
 * Finds the operation of a path. Patterns are made of words (compared without letter case), `{name}` for a key, and `{cast}` for a type
 * in the directory's namespace; a last `{cast}?` may be missing. A word of a pattern also matches when it is written with the
 * namespace (`microsoft.graph.delta()`). Words win over keys. `/me` stands for `/users/{the caller}`.
 *
 * @example
 * router.on('GET', '/groups/{id}/members/{cast}?', permit(['GroupMember.Read.All']), listMembers, { cost: 3 });
 */
export class Router {
  readonly #root = new PatternNode<Route>();

  constructor(private readonly namespace: string) {}

  on(method: string, pattern: string, access: Access, handler: Handler, options: RouteOptions = {}): this {
    if (pattern.endsWith('/{cast}?')) this.on(method, pattern.slice(0, -'/{cast}?'.length), access, handler, options);
    const segments = pattern.replace(/\?$/, '').split('/').filter(Boolean);
    this.#root.add(segments, method, { method, access, handler, names: parameterNames(segments), ...options });
    return this;
  }

  /** @throws DirectoryError 404 for an unknown path, 405 for a known one with another method. */
  match(method: string, path: string, callerId: () => string): Match {
    const given = parsePath(path, this.namespace);
    const me = given[0]?.text.toLowerCase() === 'me';
    const tokens: PathToken[] = me ? [word('users'), word(callerId()), ...given.slice(1)] : given;
    const route = this.#root.find(tokens, method);
    if (route) return { route, parameters: parametersOf(route, tokens), me };
    const others = this.#root.methods(tokens);
    if (others.size > 0) throw methodNotAllowed(method, [...others]);
    throw pathNotFound(given.at(-1)?.text ?? '');
  }

  /** Authorizes and runs the operation of a request. */
  run({ route, parameters, me }: Match, parts: RequestParts): Promise<Reply> | Reply {
    const request = new DirectoryRequest(parts, parameters, me);
    const asking = authorize(request, route.access);
    return asking === undefined ? route.handler(request) : asking.then(() => route.handler(request));
  }
}

function word(text: string): PathToken {
  return { kind: 'word', text };
}

/** By position; undefined for a word. */
function parameterNames(pattern: readonly string[]): (string | undefined)[] {
  return pattern.map((segment) => (segment.startsWith('{') ? segment.slice(1, -1) : undefined));
}

function parametersOf({ names }: Route, tokens: readonly PathToken[]): Map<string, PathKey> {
  const parameters = new Map<string, PathKey>();
  for (let at = 0; at < names.length; at++) {
    const name = names[at];
    if (name === undefined) continue;
    const { property, text } = tokens[at] as PathToken;
    parameters.set(name, property === undefined ? text : { property, value: text });
  }
  return parameters;
}

/** The object id behind `/me`. @throws DirectoryError 403 for personal accounts, 400 for applications. */
export function meOf(caller: { kind: string; objectId: string; personal: boolean }): string {
  if (caller.personal) throw denied('Personal accounts are not supported.');
  if (caller.kind !== 'user') throw badRequest('/me request is only valid with delegated authentication flow.');
  return caller.objectId;
}
