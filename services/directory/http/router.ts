import type { Access } from '../authorization/access.js';
import { authorize } from '../authorization/access.js';
import { denied, badRequest, methodNotAllowed, pathNotFound } from './errors.js';
import type { PathKey, PathToken } from './path.js';
import { parsePath } from './path.js';
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
  readonly pattern: readonly string[];
  readonly access: Access;
  readonly handler: Handler;
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
  /** By the first word and the number of segments: `groups 2`. */
  readonly #routes = new Map<string, Route[]>();

  constructor(private readonly namespace: string) {}

  on(method: string, pattern: string, access: Access, handler: Handler, options: RouteOptions = {}): this {
    if (pattern.endsWith('/{cast}?')) this.on(method, pattern.slice(0, -'/{cast}?'.length), access, handler, options);
    const segments = pattern.replace(/\?$/, '').split('/').filter(Boolean);
    const key = keyOf(segments[0], segments.length);
    const routes = this.#routes.get(key) ?? [];
    routes.push({ method, pattern: segments, access, handler, ...options });
    this.#routes.set(key, routes);
    return this;
  }

  /** @throws DirectoryError 404 for an unknown path, 405 for a known one with another method. */
  match(method: string, path: string, callerId: () => string): Match {
    const given = parsePath(path, this.namespace);
    const me = given[0]?.text.toLowerCase() === 'me';
    const tokens: PathToken[] = me ? [word('users'), word(callerId()), ...given.slice(1)] : given;
    let best: { route: Route; parameters: Map<string, PathKey>; weight: number } | undefined;
    const others = new Set<string>();
    for (const route of this.#routes.get(keyOf(tokens[0]?.text, tokens.length)) ?? []) {
      const found = matchPattern(route.pattern, tokens);
      if (!found) continue;
      if (route.method !== method) others.add(route.method);
      else if (!best || found.weight > best.weight) best = { route, ...found };
    }
    if (best) return { route: best.route, parameters: best.parameters, me };
    if (others.size > 0) throw methodNotAllowed(method, [...others]);
    throw pathNotFound(given.at(-1)?.text ?? '');
  }

  /** Authorizes and runs the operation of a request. */
  async run(match: Match, parts: RequestParts): Promise<Reply> {
    const request = new DirectoryRequest(parts, match.parameters, match.me);
    await authorize(request, match.route.access);
    return match.route.handler(request);
  }
}

function keyOf(first = '', length: number): string {
  return `${first.toLowerCase()} ${length}`;
}

function word(text: string): PathToken {
  return { kind: 'word', text };
}

/** The parameters, and how many words matched as words; undefined when the pattern doesn't fit. */
function matchPattern(
  pattern: readonly string[],
  tokens: readonly PathToken[],
): { parameters: Map<string, PathKey>; weight: number } | undefined {
  let weight = 0;
  for (let at = 0; at < pattern.length; at++) {
    const expected = pattern[at] as string;
    if (expected.startsWith('{')) continue;
    const token = tokens[at] as PathToken;
    if (token.kind === 'key' || token.text.toLowerCase() !== expected.toLowerCase()) return undefined;
    weight += 1 << (pattern.length - at);
  }
  const parameters = new Map<string, PathKey>();
  for (let at = 0; at < pattern.length; at++) {
    const expected = pattern[at] as string;
    const token = tokens[at] as PathToken;
    if (expected === '{cast}') {
      if (token.kind !== 'qualified') return undefined;
      parameters.set('cast', token.text);
    } else if (expected.startsWith('{')) {
      if (token.kind === 'qualified') return undefined;
      const { property, text } = token;
      parameters.set(expected.slice(1, -1), property === undefined ? text : { property, value: text });
    }
  }
  return { parameters, weight };
}

/** The object id behind `/me`. @throws DirectoryError 403 for personal accounts, 400 for applications. */
export function meOf(caller: { kind: string; objectId: string; personal: boolean }): string {
  if (caller.personal) throw denied('Personal accounts are not supported.');
  if (caller.kind !== 'user') throw badRequest('/me request is only valid with delegated authentication flow.');
  return caller.objectId;
}
