import type { FastifyInstance } from 'fastify';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { Operation } from './call.js';
import type { Clock } from './clock.js';
import type { Database } from './database.js';
import type { SeedSection } from './seed.js';
import type { TokenVerifier } from './token-verifier.js';

/** What every service is given when it starts, by `castellan serve` and by the sandbox alike. */
export interface ServiceContext {
  /** Where the service keeps its tables. */
  readonly database: Database;
  /** Which names it uses: neutral ones, or those of the cloud. */
  readonly dialect: Dialect;
  /** The time of everything that it records and compares. */
  readonly clock: Clock;
  /** Verifies the token of each request. */
  readonly tokens: TokenVerifier;
  /** 429 by the services' own rules (`--throttle`). */
  readonly throttle: boolean;
  /** How long-running operations of the items service behave. */
  readonly longRunning: LongRunningOptions;
  /** The tenant of everything served. @default the one that a request's token is of, else one of the services' own */
  readonly tenantId?: string;
  /**
   * Serves workspaces without a capacity from one that all share, as a trial does: an eventhouse can stand in any workspace. For the
   * sandbox, where nothing is paid for. @default false
   */
  readonly sharedCapacity?: boolean;
  /** The groups that an object is in, at any depth, where a directory is served beside. */
  readonly groupsOf?: (objectId: string) => Promise<readonly string[]>;
  /** Items whose name starts so are accepted and then fail (`--fail-items`). */
  readonly failItems?: string;
}

/** `--long-running always|never|random:SEED|size:BYTES` and `--long-running-seconds N`. */
export interface LongRunningOptions {
  /** `size`: requests whose body has at least `bytes` bytes. */
  readonly mode: 'always' | 'never' | 'random' | 'size';
  /** Of mode `random`: the same seed accepts the same requests for later. */
  readonly seed: string;
  /** Of mode `size`. */
  readonly bytes?: number;
  /** How long an operation takes, in seconds. */
  readonly seconds: number;
}

/** What a service serves. */
export interface ServiceDescription {
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly operations: readonly Pick<Operation<never>, 'method' | 'path' | 'summary' | 'description' | 'query' | 'success'>[];
  /** JSON Schema of an error answer. */
  readonly errorSchema: object;
}

/** A running service: its routes and what ends it. */
export interface Service {
  /**
   * The path prefixes the service answers, each registered as an encapsulated fastify scope (so each may set its own not-found and
   * error handlers): `['/v1.0', '/beta']`.
   */
  readonly prefixes: readonly string[];
  /** Adds the service's routes to a scope; paths are relative to the prefix. */
  register(scope: FastifyInstance, prefix: string): void | Promise<void>;
  /** What it serves, for the OpenAPI document. @default the document leaves it out */
  readonly description?: ServiceDescription;
  /** Applies its lists of a seed file; idempotent: what exists already with the same id is left alone. */
  seed(section: SeedSection): Promise<void>;
  /**
   * The same for a seed that is too big to be held at once: `parts` can be gone through as often as needed, each with entries of one list.
   * What was applied before a mistake stays. @default each part is applied as a seed of its own
   */
  seedInParts?(parts: () => Iterable<SeedSection>): Promise<void>;
  /** The ids of the groups that an object is in, directly and by nesting: what a directory gives the services next to it. */
  groupsOf?(objectId: string): Promise<readonly string[]>;
  /** Ends timers and background work; the database is closed by its opener. */
  close(): Promise<void>;
}

/** Makes a service ready to serve: migrates its tables, resumes what a crash interrupted. */
export type ServiceFactory = (context: ServiceContext) => Promise<Service>;
