import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SandboxTracer } from '../tracing/tracer.js';
import type { SidecarContext } from './sidecar.js';

/** The shared context of all hosted apps. */
export interface HostingContext extends SidecarContext {
  /** The domain of all apps, with the port: `localhost:8443`. */
  readonly domain: string;
  readonly projectDir: string;
  /** The sandbox's folder, which has the logs of the apps. */
  readonly root: string;
  /** Distinguishes this project's containers from those of others. */
  readonly project: string;
  /** The sandbox's own log. */
  readonly log: Logger;
  readonly tracer?: SandboxTracer;
  /** The name of a directory group, for pages that replace apps. */
  groupName(id: string): Promise<string | undefined>;
  /**
   * The predicate for requests that must reach an app without the headers of the signed-in person;
   * undefined while the fault `lostPrincipal` is not injected.
   */
  dropPrincipalPredicateOf?(app: string): ((request: IncomingMessage) => boolean) | undefined;
  /** Whether a container engine is available. */
  hasContainerEngine(): Promise<boolean>;
}
