import type { FastifyInstance } from 'fastify';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { Answer, Operation, ReceivedRequest } from './call.js';
import type { Clock } from './clock.js';
import type { Database } from './database.js';
import type { SeedLists } from './seed.js';
import type { TokenVerifier } from './token-verifier.js';

/** The context of every service, from `castellan serve` and the sandbox. */
export interface ServiceContext {
  /** Where the service keeps its tables. */
  readonly database: Database;
  /** The dialect: neutral names, or those of the cloud. */
  readonly dialect: Dialect;
  /** The time for everything that it stores and compares. */
  readonly clock: Clock;
  /** Verifies the token of each request. */
  readonly tokenVerifier: TokenVerifier;
  /** Whether to answer 429 by the services' own limits (`--throttle`). */
  readonly throttle: boolean;
  /** The behaviour of long-running operations in the items service. */
  readonly longRunning: LongRunningOptions;
  /** The tenant of all data. @default that of the request's token, otherwise the services' own */
  readonly tenantId?: string;
  /**
   * Workspaces without a capacity share one, as in a trial, so that eventhouses can be in any
   * workspace. For the sandbox, where nothing is paid for.
   *
   * @default false
   */
  readonly sharedCapacity?: boolean;
  /** The transitive groups of an object, if a directory runs in the same process. */
  readonly groupsOf?: (objectId: string) => Promise<readonly string[]>;
  /**
   * Ends the sessions and refresh tokens of a user, if an identity provider runs in the same
   * process.
   */
  readonly endSessionsOf?: (userId: string) => Promise<void>;
  /** Creations of items with this name prefix are accepted and then fail (`--fail-items`). */
  readonly failingItemPrefix?: string;
  /**
   * Runs each request of a batch, whose answer it may replace by another or by a `RefusedRequest`:
   * where the sandbox injects faults.
   *
   * @default each is run
   */
  readonly aroundBatchedRequest?: (
    request: ReceivedRequest,
    run: () => Promise<Answer>,
  ) => Promise<Answer>;
}

/** `--long-running always|never|random:SEED|size:BYTES` and `--long-running-seconds N`. */
export interface LongRunningOptions {
  /** `size`: requests with a body of at least `bytes` bytes. */
  readonly mode: 'always' | 'never' | 'random' | 'size';
  /** For mode `random`: the same seed selects the same requests. */
  readonly seed: string;
  /** For mode `size`. */
  readonly bytes?: number;
  /** The duration of an operation, in seconds. */
  readonly seconds: number;
}

/** The served operations. */
export interface ServiceDescription {
  /** Such as `billing`. */
  readonly name: string;
  /** Of the paths, such as `/v1`. */
  readonly prefixes: readonly string[];
  readonly operations: readonly Pick<
    Operation<never>,
    'method' | 'path' | 'summary' | 'description' | 'query' | 'success'
  >[];
  /** JSON Schema of an error answer. */
  readonly errorSchema: object;
}

/** A running service. */
export interface Service {
  /**
   * The path prefixes of the service, each registered as an encapsulated fastify scope (so each may
   * set its own not-found and error handlers): `['/v1.0', '/beta']`.
   */
  readonly prefixes: readonly string[];
  /** Adds the service's routes to a scope; paths are relative to the prefix. */
  register(scope: FastifyInstance, prefix: string): void | Promise<void>;
  /** The operations for the OpenAPI document. @default none */
  readonly description?: ServiceDescription;
  /** Applies its lists of a seed file; idempotent: existing ids are skipped. */
  seed(seedLists: SeedLists): Promise<void>;
  /**
   * The same for a seed that is too large for memory: `parts` can be iterated repeatedly, each part
   * with entries of one list. Everything applied before a mistake stays.
   *
   * @default each part is applied as a seed of its own
   */
  seedInParts?(parts: () => Iterable<SeedLists>): Promise<void>;
  /** Does what is due by the service's clock now: expiry, purges, scheduled changes. */
  runDueWork?(): Promise<void>;
  /** The transitive groups of an object; a directory provides them to the other services. */
  groupsOf?(objectId: string): Promise<readonly string[]>;
  /** Stops timers and background work; the opener of the database closes it. */
  close(): Promise<void>;
}

/** Prepares a service: migrates its tables, resumes interrupted work. */
export type ServiceFactory = (context: ServiceContext) => Promise<Service>;
