import { type Access, authorize } from '../authorization/access.js';
import { type Call, type Operation, pathOf } from '../../common/call.js';
import type { FoundOperation } from '../../common/chassis.js';
import type { Directory } from '../kernel/directory.js';
import { badRequest, accessDenied, methodNotAllowed, pathNotFound, type Reply } from './answers.js';
import { parsePath, type PathKey, type PathToken } from './path.js';
import { DirectoryRequest, requestTarget } from './request.js';

/** The handler of an operation. */
type Handler = (request: DirectoryRequest) => Promise<Reply> | Reply;

/** What a route costs for throttling. */
interface RouteOptions {
  /** Resource units before query options are considered. @default 1 */
  readonly cost?: number;
}

/** An operation with its access rule. */
interface Route extends RouteOptions {
  readonly method: string;
  /** The path of the operation, with `:parameters`: `/groups/:id/members`. */
  readonly path: string;
  readonly access: Access;
  readonly handler: Handler;
  /** The parameter of each segment of the path; undefined for a word. */
  readonly parameterNames: readonly (string | undefined)[];
}

/**
 * Finds the operation of a path. Patterns consist of words (in any letter case), `{name}` for a
 * key, and `{cast}` for a type in the directory's namespace; a final `{cast}?` is optional. A word
 * also matches with the namespace before it (`microsoft.graph.delta()`). Words take precedence over
 * keys. `/me` means `/users/{the caller}`.
 *
 * @example
 * router.on('GET', '/groups/{id}/members/{cast}?', permit(['GroupMember.Read.All']), listMembers, {
 *   cost: 3,
 * });
 */
export class Router {
  /** The added operations, for the OpenAPI document. */
  readonly operations: Omit<Operation<Directory>, 'handler'>[] = [];
  readonly #root = new PatternNode<Route>();

  constructor(private readonly namespace: string) {}

  on(
    method: string,
    pattern: string,
    access: Access,
    handler: Handler,
    options: RouteOptions = {},
  ): this {
    if (pattern.endsWith('/{cast}?'))
      this.on(method, pattern.slice(0, -'/{cast}?'.length), access, handler, options);
    const segments = pattern.replace(/\?$/, '').split('/').filter(Boolean);
    const path = `/${segments.join('/').replace(/\{(\w+)\}/g, ':$1')}`;
    this.#root.add(segments, method, {
      method,
      path,
      access,
      handler,
      parameterNames: parameterNames(segments),
      ...options,
    });
    this.operations.push({
      method,
      path,
      summary: summaryOf(method, segments),
      description: describeAccess(access),
    });
    return this;
  }

  /** @throws DirectoryError 404 for an unknown path, 405 for a known one with another method. */
  find(call: Call<Directory>): FoundOperation<Directory> {
    const { method, caller } = call;
    const tokensOfPath = parsePath(pathOf(requestTarget(call)), this.namespace);
    const isMe = tokensOfPath[0]?.text.toLowerCase() === 'me';
    const tokens: PathToken[] = isMe
      ? [word('users'), word(callerIdOf(caller)), ...tokensOfPath.slice(1)]
      : tokensOfPath;
    const route = this.#root.find(tokens, method);
    if (route === undefined) {
      const otherMethods = this.#root.methods(tokens);
      if (otherMethods.size > 0) throw methodNotAllowed(method, [...otherMethods]);
      throw pathNotFound(tokensOfPath.at(-1)?.text ?? '');
    }
    const handler = async (): Promise<Reply> => {
      const request = new DirectoryRequest(call, parametersOf(route, tokens), isMe);
      await authorize(request, route.access);
      return route.handler(request);
    };
    return {
      operation: {
        method,
        path: route.path,
        summary: '',
        ...(route.cost && { cost: route.cost }),
        handler,
      },
      call,
    };
  }
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create or run',
  PATCH: 'Update',
  PUT: 'Replace',
  DELETE: 'Remove',
};

function summaryOf(method: string, segments: readonly string[]): string {
  return `${verbs[method] ?? method} ${segments.filter((segment) => !segment.startsWith('{')).join(' ')}`;
}

function describeAccess({ delegated, application, roles }: Access): string {
  const list = (names: readonly string[] | undefined): string =>
    names?.join(', ') ?? 'not available';
  const role =
    roles === undefined ? '' : ` People need one of the directory roles ${roles.join(', ')}.`;
  return `Delegated permissions: ${list(delegated)}. Application permissions: ${list(application)}.${role}`;
}

function word(text: string): PathToken {
  return { kind: 'word', text };
}

/** The parameter of each segment; undefined for a word. */
function parameterNames(pattern: readonly string[]): (string | undefined)[] {
  return pattern.map((segment) => (segment.startsWith('{') ? segment.slice(1, -1) : undefined));
}

function parametersOf(
  { parameterNames: names }: Route,
  tokens: readonly PathToken[],
): Map<string, PathKey> {
  const parameters = new Map<string, PathKey>();
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (name === undefined) continue;
    const { property, text } = tokens[index] as PathToken;
    parameters.set(name, property === undefined ? text : { property, value: text });
  }
  return parameters;
}

/**
 * The object id of the caller, for `/me`.
 *
 * @throws DirectoryError 403 for personal accounts, 400 for applications.
 */
function callerIdOf(caller: { kind: string; objectId: string; isPersonal: boolean }): string {
  if (caller.isPersonal) throw accessDenied('Personal accounts are not supported.');
  if (caller.kind !== 'user')
    throw badRequest('/me request is only valid with delegated authentication flow.');
  return caller.objectId;
}

/**
 * A tree of path patterns by segment. A word matches in any letter case, with or without the
 * namespace; `{cast}` matches segments with the namespace, any other `{name}` those without. Of
 * several matching patterns, the one with earlier words wins; of equal ones, the first.
 */
export class PatternNode<Value> {
  readonly #words = new Map<string, PatternNode<Value>>();
  #cast: PatternNode<Value> | undefined;
  #key: PatternNode<Value> | undefined;
  /** The handlers of this path, by method. */
  readonly #values = new Map<string, Value>();

  add(pattern: readonly string[], method: string, value: Value): void {
    const [segment, ...laterSegments] = pattern;
    if (segment !== undefined) this.#next(segment).add(laterSegments, method, value);
    else if (!this.#values.has(method)) this.#values.set(method, value);
  }

  find(tokens: readonly PathToken[], method: string, tokenIndex = 0): Value | undefined {
    const token = tokens[tokenIndex];
    if (token === undefined) return this.#values.get(method);
    const wordNode = token.kind === 'key' ? undefined : this.#words.get(token.text.toLowerCase());
    const match = wordNode?.find(tokens, method, tokenIndex + 1);
    if (match !== undefined) return match;
    return (token.kind === 'qualified' ? this.#cast : this.#key)?.find(
      tokens,
      method,
      tokenIndex + 1,
    );
  }

  /** The methods that a path supports. */
  methods(tokens: readonly PathToken[], tokenIndex = 0): Set<string> {
    const token = tokens[tokenIndex];
    if (token === undefined) return new Set(this.#values.keys());
    const wordNode = token.kind === 'key' ? undefined : this.#words.get(token.text.toLowerCase());
    const otherNode = token.kind === 'qualified' ? this.#cast : this.#key;
    return new Set(
      [wordNode, otherNode].flatMap((node) => [...(node?.methods(tokens, tokenIndex + 1) ?? [])]),
    );
  }

  #next(segment: string): PatternNode<Value> {
    if (segment === '{cast}') return (this.#cast ??= new PatternNode());
    if (segment.startsWith('{')) return (this.#key ??= new PatternNode());
    const word = segment.toLowerCase();
    const existing = this.#words.get(word);
    if (existing !== undefined) return existing;
    const node = new PatternNode<Value>();
    this.#words.set(word, node);
    return node;
  }
}
