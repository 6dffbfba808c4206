import type { Probe } from './probe.js';

/** What is behind an app's address, one instance of it: it accepts plain HTTP on a port of 127.0.0.1. */
export interface Workload {
  readonly port: number;
  /** Whether it may get requests at this moment. */
  ready(): boolean;
  /** Why it ended, once it has; undefined while it runs. It has to be replaced then. */
  failure(): string | undefined;
  /** The error while it restarts. */
  trouble(): string | undefined;
  stop(): Promise<void>;
}

/** A container of an instance. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  /** In place of the image's entry point. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Cores. */
  readonly cpu: number | undefined;
  /** Bytes. */
  readonly memory: number | undefined;
  readonly mounts: readonly { readonly volume: string; readonly path: string }[];
  readonly probes: { readonly startup?: Probe; readonly readiness?: Probe; readonly liveness?: Probe };
}

/** A registry that images are pulled from with a password of the app's own. */
export interface RegistryAccess {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/** What the instances of a revision are started with. */
export interface WorkloadSpec {
  readonly app: string;
  /** The name of the revision, such as `web--blue`. */
  readonly revision: string;
  readonly targetPort: number;
  /** The environment of the first container. */
  readonly env: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly workingDirectory: string;
  /** Shows requests in place of the image. */
  readonly page: boolean;
  readonly initContainers: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
  /** The names of empty folders that its containers share. */
  readonly volumes: readonly string[];
  readonly registries: readonly RegistryAccess[];
  /** How long its containers may take to end, in seconds. */
  readonly graceSeconds: number;
}

/** One instance that is to be started. */
export interface Instance {
  readonly replica: number;
  /** Takes what it writes; named where it consists of several containers. */
  output(container?: string): (text: string) => void;
  /** Called when it has ended. */
  onEnd(): void;
  /** Cancels its start. */
  readonly signal: AbortSignal;
}
