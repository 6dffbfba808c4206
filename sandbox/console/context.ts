import type { Database } from '../../services/common/database.js';
import type { Hosting } from '../hosting/hosting.js';
import type { SandboxPaths } from '../paths.js';
import type { SandboxSettings } from '../settings.js';
import type { TraceStore } from '../tracing/trace-store.js';
import type { ActivityLog } from './activity.js';
import type { ConditionsSource } from './conditions.js';
import type { ConsoleService } from './service-requests.js';

/** The parts of the sandbox that the console reads and changes. */
export interface ConsoleContext {
  /** The sandbox's address: `https://localhost:<port>`. */
  readonly origin: string;
  readonly paths: SandboxPaths;
  readonly settings: SandboxSettings;
  readonly hosting: Hosting;
  readonly activity: ActivityLog;
  readonly traces: TraceStore;
  /** The one in which all services keep their data. */
  readonly database: Database;
  /** Its time, and the faults that it injects. */
  readonly conditions: ConditionsSource;
  /** The sandbox's time in milliseconds since 1970. */
  now(): number;
  /** A token of the sandbox's toolkit for a service. */
  token(service: ConsoleService): Promise<string>;
}
