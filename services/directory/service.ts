import { sql } from 'kysely';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { FastifyInstance } from 'fastify';
import { type Answer, Call, type Operation, pathOf } from '../common/call.js';
import { Chassis, type FoundOperation } from '../common/chassis.js';
import { migrate } from '../common/database.js';
import { repeatIfShared, withLease } from '../common/lease.js';
import type { SeedLists } from '../common/seed.js';
import type { Service, ServiceContext } from '../common/service.js';
import { verifyClientSecret } from './applications/secrets.js';
import {
  accessDenied,
  errorSchema,
  jsonContentType,
  toDirectoryError,
  type Reply,
  requireAcceptable,
} from './http/answers.js';
import { parseBatch, runBatch } from './http/batch.js';
import { DirectoryRequest, requestTarget } from './http/request.js';
import { notServedByDirectory } from './http/not-served.js';
import { Router } from './http/router.js';
import { type Directory, openDirectory } from './kernel/directory.js';
import type { DirectoryModule } from './directory-module.js';
import { registerSqlFunctions } from './odata/index.js';
import { numberInTableCondition } from './store/sql.js';
import { containingObjectsTable } from './store/links.js';
import { migrations } from './store/migrations.js';
import { Throttle } from './throttle.js';

const cloudAudience = 'https://graph.microsoft.com';
const bodyLimit = 5 * 1024 * 1024;
/** The interval of timed work, such as expiry and purging. */
const tickIntervalMs = 5_000;
const batchOperation = { method: 'POST', path: '/$batch', summary: 'Run up to 20 requests' };

/** The directory service: modules on a common kernel. */
export class DirectoryService implements Service {
  readonly prefixes = ['/v1.0', '/beta'];
  readonly #router: Router;
  readonly #throttle: Throttle | undefined;
  readonly #chassis: Chassis<Directory>;
  #runningTick: Promise<void> = Promise.resolve();
  #tickedAt = Number.NEGATIVE_INFINITY;
  /** Whether this is a new directory without any request yet, so that no client follows changes. */
  #awaitsFirstRequest = false;
  /** Stops the timer that does timed work without requests, also what a killed process left. */
  #stopRepeating: () => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly context: ServiceContext,
    private readonly directory: Directory,
    private readonly modules: readonly DirectoryModule[],
  ) {
    this.#router = new Router(directory.namespace);
    this.#throttle = context.throttle ? new Throttle(directory, context.database) : undefined;
    for (const module of modules) module.routes(this.#router, directory);
    const operations = [...this.#router.operations, batchOperation];
    this.#chassis = new Chassis<Directory>({
      name: 'directory',
      prefixes: this.prefixes,
      runtime: directory,
      operations,
      toServiceError: toDirectoryError,
      errorSchema,
      jsonType: jsonContentType,
      bodyLimit,
      tokenVerifier: context.tokenVerifier,
      clock: context.clock,
      audiences: context.dialect === 'azure' ? [cloudAudience] : [],
      notServed: notServedByDirectory,
      find: (call) => this.#findOperation(call),
      headers: ({ requestId, clientRequestId }) => ({
        'request-id': requestId,
        'client-request-id': clientRequestId,
        'odata-version': '4.0',
        'cache-control': 'no-cache',
      }),
      throttle: (call, operation) => this.#chargeRequest(call, operation),
      before: () => (this.#isTickDue() ? this.#tick() : undefined),
    });
  }

  /** Migrates the tables and starts the modules. */
  static async start(
    context: ServiceContext,
    modules: readonly DirectoryModule[],
  ): Promise<DirectoryService> {
    if (context.database.sqlite) registerSqlFunctions(context.database.sqlite); // indexes use it
    await migrate(context.database, 'directory', migrations(context.database.engine));
    const directory = openDirectory(
      context,
      modules.flatMap((module) => module.types ?? []),
    );
    const service = new DirectoryService(context, directory, modules);
    service.#awaitsFirstRequest = (await directory.changes.latest()) === 0;
    for (const module of modules) await module.start?.(directory);
    service.#stopRepeating = repeatIfShared(context.database, () => service.runDueWork());
    return service;
  }

  get description(): NonNullable<Service['description']> {
    return this.#chassis.description;
  }

  register(scope: FastifyInstance, prefix: string): void {
    this.#chassis.register(scope, prefix);
  }

  seed(seedLists: SeedLists): Promise<void> {
    return this.directory.sql.transaction(() => this.seedInParts(() => [seedLists]));
  }

  /**
   * Creates the objects of all parts first, then the references between them. Each part is one
   * transaction.
   */
  async seedInParts(parts: () => Iterable<SeedLists>): Promise<void> {
    const { sql, changes } = this.directory;
    const apply = async (): Promise<void> => {
      for (const step of ['seed', 'seedReferences'] as const)
        for (const part of parts())
          await sql.transaction(async () => {
            for (const module of this.modules) await module[step]?.(this.directory, part);
          });
    };
    await changes.pauseWhile(() => this.#awaitsFirstRequest, apply);
  }

  /**
   * Whether a client id and secret match and the secret is valid at this time; used by the token
   * issuer.
   */
  verifyClientSecret(appId: string, secret: string): Promise<boolean> {
    return verifyClientSecret(this.directory, appId, secret);
  }

  /**
   * The principal type of an object in the cloud's access control (`User`); undefined for objects
   * that cannot have a role.
   */
  async principalTypeOf(objectId: string): Promise<string | undefined> {
    const object = await this.directory.objects.get(objectId);
    return { user: 'User', group: 'Group', servicePrincipal: 'ServicePrincipal' }[
      object?.type ?? ''
    ];
  }

  /**
   * The ids of the groups that a user, application or group is in, transitively; used by the other
   * services.
   */
  async groupsOf(objectId: string): Promise<readonly string[]> {
    const { objects, sql: database } = this.directory;
    const object = await objects.get(objectId);
    if (!object) return [];
    const rows = await database.query<{
      id: string;
    }>(sql`${containingObjectsTable(object.number)} select o.id from directory_object o
      where ${numberInTableCondition(database.engine, 'containing')} and o.type = 'group'`);
    return rows.map(({ id }) => id);
  }

  async close(): Promise<void> {
    await this.#stopRepeating();
    await this.#waitForTick();
    for (const module of this.modules) await module.stop?.();
  }

  /**
   * Finds the operation of a request.
   *
   * @throws DirectoryError 404, 405, 403 for personal accounts, 406.
   */
  #findOperation(call: Call<Directory>): FoundOperation<Directory> {
    this.#awaitsFirstRequest = false;
    const target = requestTarget(call);
    if (call.method === 'POST' && /^\/(\$|%24)batch\/?(\?|$)/i.test(target))
      return { operation: { ...batchOperation, handler: () => this.#runBatch(call) }, call };
    return this.#findRoute(call);
  }

  #findRoute(call: Call<Directory>): FoundOperation<Directory> {
    const match = this.#router.find(call);
    if (call.caller.isPersonal) throw accessDenied('Personal accounts are not supported.');
    requireAcceptable(call.headers.accept, pathOf(requestTarget(call)));
    return match;
  }

  #findRouteOfBatched(call: Call<Directory>): FoundOperation<Directory> {
    return this.#chassis.findServedOperation(call, () => this.#findRoute(call));
  }

  /** `POST /$batch`: up to 20 requests, each answered as if it had been sent alone. */
  #runBatch(call: Call<Directory>): Promise<Reply> {
    const { origin, prefix } = call.received;
    const { authorization } = call.headers;
    const { aroundBatchedRequest = (_request, run) => run() } = this.context;
    const body = new DirectoryRequest(call, new Map(), false).json();
    return runBatch(
      parseBatch(body, origin),
      async ({ method, url, headers: requestHeaders, bytes }) => {
        try {
          const headers = { ...requestHeaders, ...omitUndefined({ authorization }) };
          const received = { ...call.received, method, url: prefix + url, headers, body: bytes };
          // The router has no batch operation, so batches cannot be nested.
          const run = async (): Promise<Answer> =>
            this.#chassis.perform(
              this.#findRouteOfBatched(new Call(call.runtime, call.caller, received)),
            );
          return (await aroundBatchedRequest(received, run)) as Reply;
        } catch (error) {
          return this.#chassis.errorAnswer(error, call.received) as Reply;
        }
      },
    );
  }

  async #chargeRequest(
    { caller, method, query }: Call<Directory>,
    { path, cost }: Operation<Directory>,
  ): Promise<number | undefined> {
    // Each request of a batch is throttled by itself.
    return path === batchOperation.path
      ? undefined
      : this.#throttle?.charge(caller, { method, query, ...(cost && { cost }) });
  }

  #isTickDue(): boolean {
    // Absolute: a clock that was set back makes the work due, too.
    return Math.abs(this.context.clock.now().getTime() - this.#tickedAt) >= tickIntervalMs;
  }

  /** Does timed work now, during a request or by the timer. */
  async #tick(): Promise<void> {
    this.#tickedAt = this.context.clock.now().getTime();
    this.#runningTick = this.#runTick();
    await this.#runningTick;
  }

  /** Waits for timed work that is running, and does it once more. */
  async runDueWork(): Promise<void> {
    await this.#waitForTick();
    await this.#tick();
  }

  /** Waits for the running timed work, whose failure only its own caller gets. */
  async #waitForTick(): Promise<void> {
    await this.#runningTick.catch(() => undefined);
  }

  async #runTick(): Promise<void> {
    await withLease(this.context.database, 'directory.due-work', async () => {
      for (const module of this.modules) await module.tick?.(this.directory);
    });
  }
}
