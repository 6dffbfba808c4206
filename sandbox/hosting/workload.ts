import type { Probe } from './probe.js';

/** A replica that serves an app: it accepts plain HTTP on a port of 127.0.0.1. */
export interface Workload {
  readonly port: number;
  /** Whether it can get requests now. */
  isReady(): boolean;
  /** Why it ended, and has to be replaced; undefined while it runs. */
  failure(): string | undefined;
  /** Why it is not ready, although it has not ended; undefined where it is or does not say. */
  unreadyReason(): string | undefined;
  stop(): Promise<void>;
}

/** A container of a replica. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  /** Replaces the image's entry point. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** Environment variables, with the values of secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Cores. */
  readonly cpu: number | undefined;
  /** Bytes. */
  readonly memory: number | undefined;
  /** Which of the shared folders it has, and where. */
  readonly mounts: readonly { readonly volume: string; readonly path: string }[];
  readonly probes: {
    readonly startup?: Probe;
    readonly readiness?: Probe;
    readonly liveness?: Probe;
  };
}

/** A container registry, with the app's credentials for it. */
export interface RegistryAccess {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/** The specification of a revision's replicas. */
export interface WorkloadSpec {
  /** The app's name. */
  readonly app: string;
  /** The name of the revision, such as `web--blue`. */
  readonly revision: string;
  /** The port inside the container at which the app takes requests. */
  readonly targetPort: number;
  /** The environment of the first container. */
  readonly env: Readonly<Record<string, string>>;
  /** The shell command that runs instead of the image: `sandbox.command`. */
  readonly command?: string;
  /** That of the command; absolute. */
  readonly workingDirectory: string;
  /** Shows requests instead of running the image. */
  readonly showsRequestPage: boolean;
  readonly initContainers: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
  /** The names of empty folders shared by its containers. */
  readonly volumes: readonly string[];
  readonly registries: readonly RegistryAccess[];
  /** How many seconds its containers may take to end. */
  readonly graceSeconds: number;
}

/** A replica to start. */
export interface ReplicaContext {
  /** Its number in the revision, from 0. */
  readonly index: number;
  /** A function that writes its output, with the container's name if there are several. */
  openOutput(container?: string): (text: string) => void;
  /** Called when it has ended. */
  onEnd(): void;
  /** Cancels its start. */
  readonly signal: AbortSignal;
}
