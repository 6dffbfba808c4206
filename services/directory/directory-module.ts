import type { SeedSection } from '../common/seed.js';
import type { Router } from './http/router.js';
import type { Directory } from './kernel/directory.js';
import type { ObjectType } from './kernel/object-type.js';

/** A part of the directory: an object type with its operations, or an area such as authentication methods. */
export interface DirectoryModule {
  readonly types?: readonly ObjectType[];
  /** Adds the module's operations. */
  routes(router: Router, directory: Directory): void;
  /** Makes ready: built-in objects, listeners. Runs once before the first request, after every module's routes. */
  start?(directory: Directory): Promise<void> | void;
  /** Applies the module's lists of a seed file; what exists already with the same id is left alone. In the order of the modules. */
  seed?(directory: Directory, section: SeedSection): Promise<void>;
  /** Runs after all modules' {@link seed}: references between what was seeded. */
  linkSeeded?(directory: Directory, section: SeedSection): Promise<void>;
  /** Work that time brings (expiry, purging), done now and then and before a listing would show its absence. */
  tick?(directory: Directory): Promise<void>;
  /** Ends work that runs beside the requests. */
  stop?(): Promise<void>;
}
