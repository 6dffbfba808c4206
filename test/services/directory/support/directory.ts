import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Dialect } from '../../../../core/dialect/dialect.js';
import { unrestrictedCaller, type Caller } from '../../../../services/common/caller.js';
import { type Database, openDatabase } from '../../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../../services/common/http-server.js';
import type { SeedLists } from '../../../../services/common/seed.js';
import type { Service, ServiceContext } from '../../../../services/common/service.js';
import { omitUndefined } from '../../../../core/values/omit-undefined.js';
import {
  type DirectoryRole,
  roleTemplateIds,
} from '../../../../services/directory/authorization/directory-roles.js';
import { openEmptyPostgres } from './engines.js';
import { createDirectoryService } from '../../../../services/directory/index.js';

/** An answer: status, headers, and the body parsed where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of any shape
  readonly body: any;
  readonly text: string;
}

/** What a test directory is started with. */
export interface TestOptions {
  readonly dialect?: Dialect;
  readonly database?: Database;
  readonly now?: string;
  readonly seed?: SeedLists;
  readonly throttle?: boolean;
  readonly endSessionsOf?: NonNullable<ServiceContext['endSessionsOf']>;
  /** Takes every token for `--no-auth`, for clients that bring their own. */
  readonly openToAll?: boolean;
  /** Serves over TLS when it listens. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/**
 * A directory service on a fastify instance, asked by inject, with a clock that tests move and
 * callers that tests name.
 */
export class TestDirectory {
  static readonly host = 'directory.test';
  #now: number;
  readonly #callers = new Map<string, Caller>();

  private constructor(
    readonly app: FastifyInstance,
    readonly service: Service,
    readonly database: Database,
    private readonly ownsDatabase: boolean,
    clock: { now: number },
    callers: Map<string, Caller>,
  ) {
    this.#now = clock.now;
    this.#callers = callers;
    this.clock = clock;
  }

  readonly clock: { now: number };

  static async start(options: TestOptions = {}): Promise<TestDirectory> {
    const server = process.env['DATABASE_URL'];
    const database =
      options.database ?? (await (server ? openEmptyPostgres(server) : openDatabase('memory:')));
    const clock = { now: Date.parse(options.now ?? '2026-01-15T10:00:00Z') };
    const callers = new Map<string, Caller>();
    const service = await createDirectoryService({
      database,
      dialect: options.dialect ?? 'neutral',
      clock: { now: () => new Date(clock.now) },
      tokenVerifier: {
        verify: (authorization) => {
          if (options.openToAll) return Promise.resolve({ caller: unrestrictedCaller });
          if (authorization === undefined)
            return Promise.resolve({ refusal: 'missing', reason: 'Access token is empty.' });
          const caller = callers.get(authorization);
          return Promise.resolve(
            caller ? { caller } : { refusal: 'invalid', reason: 'The token is not valid.' },
          );
        },
      },
      throttle: options.throttle ?? false,
      ...omitUndefined({ endSessionsOf: options.endSessionsOf }),
      longRunning: { mode: 'never', seed: '', seconds: 0 },
    });
    if (options.seed) await service.seed(options.seed);
    const app = createHttpServer(options.tls ? { tls: options.tls } : {});
    mountService(app, service);
    return new TestDirectory(
      app,
      service,
      database,
      options.database === undefined,
      clock,
      callers,
    );
  }

  /** Moves the clock. */
  passTime(time: { days?: number; seconds?: number }): void {
    this.clock.now += (time.days ?? 0) * 86_400_000 + (time.seconds ?? 0) * 1000;
  }

  /** The service's present time. */
  get now(): Date {
    return new Date(this.clock.now);
  }

  /** Asks as anyone (`--no-auth`), or as the given caller. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    options: { as?: Caller; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const authorization = `Bearer ${randomUUID()}`;
    this.#callers.set(authorization, options.as ?? unrestrictedCaller);
    const isBinary = Buffer.isBuffer(body) || typeof body === 'string';
    const answer = await this.app.inject({
      method: method as 'GET',
      url: path.startsWith('http')
        ? path.replace(/^https?:\/\/[^/]+/, '')
        : path.startsWith('/v1.0') || path.startsWith('/beta')
          ? path
          : `/v1.0${path}`,
      headers: {
        host: TestDirectory.host,
        authorization,
        ...(body !== undefined && !isBinary && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { payload: isBinary ? body : JSON.stringify(body) }),
    });
    this.#callers.delete(authorization);
    const isJson =
      String(answer.headers['content-type'] ?? '').startsWith('application/json') &&
      answer.body !== '';
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson ? JSON.parse(answer.body) : undefined,
      text: answer.body,
    };
  }

  /** An `Authorization` header that may do everything, for requests that a test makes by itself. */
  tokenOf(caller: Caller = unrestrictedCaller): string {
    const authorization = `Bearer ${randomUUID()}`;
    this.#callers.set(authorization, caller);
    return authorization;
  }

  get = (
    path: string,
    options?: { as?: Caller; headers?: Record<string, string> },
  ): Promise<Answer> => this.ask('GET', path, undefined, options);
  post = (
    path: string,
    body?: unknown,
    options?: { as?: Caller; headers?: Record<string, string> },
  ): Promise<Answer> => this.ask('POST', path, body, options);
  patch = (
    path: string,
    body?: unknown,
    options?: { as?: Caller; headers?: Record<string, string> },
  ): Promise<Answer> => this.ask('PATCH', path, body, options);
  delete = (
    path: string,
    options?: { as?: Caller; headers?: Record<string, string> },
  ): Promise<Answer> => this.ask('DELETE', path, undefined, options);

  /** An advanced query: with `ConsistencyLevel: eventual`. */
  advanced = (path: string, options: { as?: Caller } = {}): Promise<Answer> =>
    this.get(path, { ...options, headers: { consistencylevel: 'eventual' } });

  /** Creates a group and gives its body; fails the test when it isn't created. */
  async group(properties: Record<string, unknown> = {}): Promise<Record<string, string>> {
    const answer = await this.post('/groups', { ...securityGroup(), ...properties });
    if (answer.status !== 201) throw new Error(`group not created: ${answer.text}`);
    return answer.body as Record<string, string>;
  }

  /** Ends the service; a database that was given stays open. */
  async stop(): Promise<void> {
    await this.app.close();
    await this.service.close();
    if (this.ownsDatabase) await this.database.close();
  }
}

let counter = 0;

/** A body that creates a security group, with names not used before. */
export function securityGroup(properties: Record<string, unknown> = {}): Record<string, unknown> {
  counter += 1;
  return {
    displayName: `Group ${counter}`,
    mailNickname: `group${counter}`,
    mailEnabled: false,
    securityEnabled: true,
    ...properties,
  };
}

/** A body that creates a unified group. */
export function unifiedGroup(properties: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...securityGroup(),
    groupTypes: ['Unified'],
    mailEnabled: true,
    securityEnabled: false,
    ...properties,
  };
}

/** A seeded user. */
export function user(
  id: string,
  properties: Record<string, unknown> = {},
): Record<string, unknown> & { id: string } {
  return {
    displayName: `User ${id.slice(0, 4)}`,
    userPrincipalName: `${id.slice(0, 8)}@castellan.example`,
    ...properties,
    id,
  };
}

const tenantId = '7f0c2a54-6d2b-4f0e-9a43-5b8f3a1de201';

/** A signed-in user. */
export function person(
  objectId: string,
  scopes: readonly string[],
  roles: readonly DirectoryRole[] = [],
  more: Partial<Caller> = {},
): Caller {
  return {
    kind: 'user',
    objectId,
    tenantId,
    applicationId: '11111111-0000-4000-8000-000000000001',
    scopes: new Set(scopes),
    roles: new Set(),
    directoryRoles: new Set(roles.map((role) => roleTemplateIds[role])),
    isGuest: false,
    isPersonal: false,
    ...more,
  };
}

/** An application. */
export function application(objectId: string, permissions: readonly string[]): Caller {
  return { ...person(objectId, []), kind: 'application', roles: new Set(permissions) };
}

/** A GUID that reads like what it is: `id(7)`. */
export function id(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
