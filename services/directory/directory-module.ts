import type { SeedLists } from '../common/seed.js';
import type { Router } from './http/router.js';
import type { Directory } from './kernel/directory.js';
import type { ObjectType } from './kernel/object-type.js';

/**
 * A part of the directory: an object type with its operations, or an area such as authentication
 * methods.
 */
export interface DirectoryModule {
  /** The object types that the module adds. @default none */
  readonly types?: readonly ObjectType[];
  /** Adds the module's operations. */
  routes(router: Router, directory: Directory): void;
  /**
   * Creates built-in objects and adds listeners. Runs once before the first request, after every
   * module's routes.
   */
  start?(directory: Directory): Promise<void> | void;
  /**
   * Creates the objects of the module's lists in a seed file; existing ids are skipped. Modules
   * seed in their order.
   */
  seed?(directory: Directory, seedLists: SeedLists): Promise<void>;
  /** Runs after all modules' {@link seed}: creates references between seeded objects. */
  seedReferences?(directory: Directory, seedLists: SeedLists): Promise<void>;
  /** Timed work (expiry, purging), done at intervals and before a listing that depends on it. */
  tick?(directory: Directory): Promise<void>;
  /** Ends background work. */
  stop?(): Promise<void>;
}
