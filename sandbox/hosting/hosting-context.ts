import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SandboxTracer } from '../tracing/tracer.js';
import type { SidecarContext } from './sidecar.js';

/** The shared context of all hosted apps. */
export interface HostingContext extends SidecarContext {
  /** The domain of all apps, with the port: `localhost:8443`. */
  readonly domain: string;
  readonly projectDir: string;
  /** The sandbox's folder for the output of apps. */
  readonly root: string;
  /** Distinguishes this project's containers from those of others. */
  readonly project: string;
  readonly log: Logger;
  readonly tracer?: SandboxTracer;
  /** The name of a directory group, for pages that replace apps. */
  groupName(id: string): Promise<string | undefined>;
  /** The requests to an app that lose their principal, while such a fault is played. */
  losesPrincipal?(app: string): ((request: IncomingMessage) => boolean) | undefined;
  /** Whether a container engine is available. */
  engine(): Promise<boolean>;
}
