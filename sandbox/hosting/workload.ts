/** What is behind an app's address, one instance of it: it accepts plain HTTP on a port of 127.0.0.1. */
export interface Workload {
  readonly port: number;
  /** Why it ended, once it has; undefined while it runs. */
  failure(): string | undefined;
  stop(): Promise<void>;
}

/** What an instance is started with. */
export interface WorkloadSpec {
  readonly app: string;
  readonly replica: number;
  readonly image: string;
  readonly targetPort: number;
  readonly env: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly workingDirectory: string;
  /** Gets what it writes. @default it is kept nowhere */
  readonly onOutput?: (text: string) => void;
}
