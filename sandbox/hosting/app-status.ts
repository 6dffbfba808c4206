import type { Refusal } from '../identity-provider/refusals.js';

/**
 * The state of an app or revision: `idle` is scaled to zero, until a request arrives; `stopped`,
 * until it is started.
 */
export type RunState = 'running' | 'starting' | 'waiting' | 'failed' | 'idle' | 'stopped';

/** What serves an app: its command, its image, or a page in place of the image. */
export type WorkloadKind = 'command' | 'image' | 'page';

/** The status of one app. */
export interface AppStatus {
  /** The name of the app. */
  readonly name: string;
  /** Its id in the resource manager. */
  readonly id: string;
  /** Its address; absent without ingress. */
  readonly url?: string;
  /**
   * `running`; `starting`; `waiting` for its sign-in settings; `failed` with the reason in
   * `detail`; `idle`: scaled to zero; `stopped`.
   */
  readonly state: RunState;
  /** What serves the app. */
  readonly runs: WorkloadKind;
  /** Whether it has a sign-in layer. */
  readonly auth: boolean;
  /** How many replicas can take requests now. */
  readonly replicas: number;
  /** The running revisions, if the app has several. */
  readonly revisions?: readonly RevisionStatus[];
  /** Why it is not running, or why a page replaces its image. */
  readonly detail?: string;
}

/** The status of one revision of an app. */
export interface RevisionStatus {
  /** With the name of its app: `web--blue`. */
  readonly name: string;
  /** Its share of the app's requests, in per cent. */
  readonly weight: number;
  /** `https://<app>---<label>.localhost:<port>/` leads to it alone. */
  readonly labels: readonly string[];
  readonly state: Exclude<RunState, 'waiting' | 'stopped'>;
  /** How many of its replicas can take requests now. */
  readonly replicas: number;
  /** Why a replica ended, could not be started or is not ready. */
  readonly detail?: string;
}

/**
 * A request as the app received it, after its sign-in layer. Values of secret headers are omitted.
 */
export interface RecordedRequest {
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** With the query, in which secrets are masked. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** An app on the console's pages. */
export interface AppView extends AppStatus {
  /** The applied sign-in settings; they refer to secrets and contain none. */
  readonly authSetting: Readonly<Record<string, unknown>> | undefined;
  /**
   * The latest requests of a page that replaces the app's image; commands and images keep their
   * own.
   */
  readonly requests: readonly RecordedRequest[];
  /** The latest refused sign-ins, each with the reason. */
  readonly refusals: readonly Refusal[];
}
