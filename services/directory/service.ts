import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { migrate } from '../common/database.js';
import type { SeedSection } from '../common/seed.js';
import type { Service, ServiceContext } from '../common/service.js';
import { soon } from '../common/soon.js';
import type { Soon } from '../common/soon.js';
import type { Verification } from '../common/token-verifier.js';
import { verifyClientSecret } from './applications/secrets.js';
import { requireAcceptable } from './http/accept.js';
import { errorReply, idsOf, sendError, sendReply } from './http/answer.js';
import type { RequestIds } from './http/answer.js';
import { readBatch, runBatch } from './http/batch.js';
import { denied, unauthenticated } from './http/errors.js';
import type { Reply } from './http/reply.js';
import { DirectoryRequest } from './http/request.js';
import type { RequestParts } from './http/request.js';
import { Router, meOf } from './http/router.js';
import type { Match } from './http/router.js';
import type { Directory, DirectoryModule } from './kernel/directory.js';
import { openDirectory } from './kernel/directory.js';
import { among } from './store/engine-sql.js';
import { belongsTo } from './store/links.js';
import { registerFold } from './odata/index.js';
import { migrations } from './store/migrations.js';
import { Throttle } from './throttling/throttle.js';

const cloudAudience = 'https://graph.microsoft.com';
const bodyLimit = 5 * 1024 * 1024;
/** How often the work that time brings is looked for. */
const tickMilliseconds = 5_000;
const noBytes = Buffer.alloc(0);

const liveObject = 'select number from directory_object where id = ?';

/** The directory service: modules over one kernel. */
export class DirectoryService implements Service {
  readonly prefixes = ['/v1.0', '/beta'];
  readonly #router: Router;
  readonly #throttle: Throttle | undefined;
  #ticking: Promise<void> = Promise.resolve();
  #tickedAt = Number.NEGATIVE_INFINITY;
  /** A new directory that nobody has asked yet: nobody follows its changes. */
  #untold = false;

  private constructor(
    private readonly context: ServiceContext,
    private readonly directory: Directory,
    private readonly modules: readonly DirectoryModule[],
  ) {
    this.#router = new Router(directory.namespace);
    this.#throttle = context.throttle ? new Throttle(directory) : undefined;
  }

  /** Brings the tables up to date and makes the modules ready. */
  static async start(context: ServiceContext, modules: readonly DirectoryModule[]): Promise<DirectoryService> {
    if (context.database.sqlite) registerFold(context.database.sqlite); // indexes are made with it
    await migrate(context.database, 'directory', migrations(context.database.engine));
    const directory = openDirectory(context, modules);
    const service = new DirectoryService(context, directory, modules);
    service.#untold = (await directory.changes.latest()) === 0;
    for (const module of modules) module.routes(service.#router, directory);
    for (const module of modules) await module.start?.(directory);
    return service;
  }

  register(scope: FastifyInstance, prefix: string): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
    const handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined =>
      this.#handle(request, reply, prefix);
    const method = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
    scope.route({ method, url: '/', exposeHeadRoute: false, handler: handle });
    scope.route({ method, url: '/*', exposeHeadRoute: false, handler: handle });
    // HEAD, OPTIONS and the like get their 401, 404 or 405 like everything else
    scope.setNotFoundHandler(handle);
    scope.setErrorHandler((error, request, reply) => sendError(reply, error, idsOf(request), this.context.clock));
  }

  seed(section: SeedSection): Promise<void> {
    return this.directory.sql.write(() => this.seedInParts(() => [section]));
  }

  /** Objects of all parts first, then the references between them; a transaction for each part. */
  async seedInParts(parts: () => Iterable<SeedSection>): Promise<void> {
    const { sql, changes } = this.directory;
    const apply = async (): Promise<void> => {
      for (const step of ['seed', 'linkSeeded'] as const)
        for (const part of parts())
          await sql.write(async () => {
            for (const module of this.modules) await module[step]?.(this.directory, part);
          });
    };
    await changes.pausedWhile(() => this.#untold, apply);
  }

  /** Whether a client id and secret belong together and the secret holds at this time; for whoever gives out tokens. */
  verifyClientSecret(appId: string, secret: string): Promise<boolean> {
    return verifyClientSecret(this.directory, appId, secret);
  }

  /** The ids of the groups that a user, application or group is in, at any depth; for the services beside. */
  async groupsOf(objectId: string): Promise<readonly string[]> {
    const { sql } = this.directory;
    const object = await sql.get<{ number: number }>(liveObject, [objectId.toLowerCase()]);
    if (!object) return [];
    const groupsAbove = `${belongsTo} select o.id from directory_object o where ${among(sql.engine, 'up')} and o.type = 'group'`;
    const rows = await sql.all<{ id: string }>(groupsAbove, [object.number]);
    return rows.map(({ id }) => id);
  }

  async close(): Promise<void> {
    await this.#ticking;
    for (const module of this.modules) await module.stop?.();
  }

  /** Answers a request, at once where nothing has to be waited for. */
  #handle(request: FastifyRequest, reply: FastifyReply, prefix: string): Promise<FastifyReply> | undefined {
    const ids = idsOf(request);
    const fail = (error: unknown): FastifyReply => sendError(reply, error, ids, this.context.clock);
    this.#untold = false;
    try {
      const origin = `${request.protocol}://${request.headers[':authority'] ?? request.headers.host ?? request.host}`;
      const verification = this.context.tokens.verify(request.headers.authorization, this.#audiences(origin));
      const answer = soon(verification, (verified) => this.#admit(request, verified, { base: origin + prefix, prefix, ids }));
      const sent = soon(answer, (given) => sendReply(reply, given, ids));
      return sent instanceof Promise ? sent.catch(fail) : undefined;
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  /** @throws DirectoryError 401 for a token that was refused, and whatever the operation throws. */
  #admit(
    { body, headers, log, method, originalUrl: url }: FastifyRequest,
    verification: Verification,
    { base, prefix, ids }: { readonly base: string; readonly prefix: string; readonly ids: RequestIds },
  ): Soon<Reply> {
    if ('refused' in verification) throw unauthenticated(verification.reason);
    const parts: RequestParts = {
      directory: this.directory,
      caller: verification.caller,
      method,
      base,
      target: url.slice((url.startsWith(prefix) ? 0 : url.toLowerCase().indexOf(prefix)) + prefix.length),
      headers,
      bytes: Buffer.isBuffer(body) ? body : noBytes,
    };
    return isBatch(parts) ? this.#batch(parts, ids, log) : this.#answer(parts);
  }

  /** Finds and runs the operation of one request. @throws DirectoryError and whatever the operation throws. */
  #answer(parts: RequestParts): Soon<Reply> {
    const { caller, method, target } = parts;
    const [path = '', query = ''] = splitOnce(target, '?');
    const match = this.#router.match(method, path, () => meOf(caller));
    if (caller.personal) throw denied('Personal accounts are not supported.');
    requireAcceptable(parts.headers.accept, path);
    const charged = this.#throttle?.charge(caller, { method, query, ...(match.route.cost && { cost: match.route.cost }) });
    if (charged === undefined && !this.#isTickDue()) return this.#router.run(match, parts);
    return this.#answerLater(match, parts, charged);
  }

  async #answerLater(match: Match, parts: RequestParts, charged: Promise<void> | undefined): Promise<Reply> {
    await charged;
    if (this.#isTickDue()) await this.#tick();
    return this.#router.run(match, parts);
  }

  /** `POST /$batch`: up to 20 requests, each answered as if it had come alone. */
  #batch(parts: RequestParts, ids: RequestIds, log: FastifyBaseLogger): Promise<Reply> {
    const body = new DirectoryRequest(parts, new Map(), false).json();
    return runBatch(readBatch(body, parts.base.slice(0, parts.base.lastIndexOf('/'))), async ({ method, url, headers, bytes }) => {
      try {
        return await this.#answer({ ...parts, method, target: url, headers, bytes });
      } catch (error) {
        const failure = errorReply(error, ids, this.context.clock);
        if (failure.status >= 500) log.error({ err: error, requestId: ids.requestId }, 'request of a batch failed');
        return failure;
      }
    });
  }

  #audiences(origin: string): string[] {
    return this.context.dialect === 'azure' ? [origin, cloudAudience] : [origin];
  }

  #isTickDue(): boolean {
    return this.context.clock.now().getTime() - this.#tickedAt >= tickMilliseconds;
  }

  /** Does what time brings, at most every few seconds of the service's clock, one request's wait. */
  async #tick(): Promise<void> {
    this.#tickedAt = this.context.clock.now().getTime();
    this.#ticking = this.#runTick();
    await this.#ticking;
  }

  async #runTick(): Promise<void> {
    for (const module of this.modules) await module.tick?.(this.directory);
  }
}

function isBatch({ method, target }: RequestParts): boolean {
  return method === 'POST' && /^\/(\$|%24)batch\/?(\?|$)/i.test(target);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
