import type { Refusal } from '../identity-provider/refusals.js';

/** The state of an app or of one of its revisions: `idle` is scaled to zero, until a request comes; `stopped`, until it is started. */
export type RunState = 'running' | 'starting' | 'waiting' | 'failed' | 'idle' | 'stopped';

/** The status of one app. */
export interface AppStatus {
  /** The name of the app. */
  readonly name: string;
  /** Its id in the resource manager. */
  readonly id: string;
  /** Where it is reached; absent without ingress. */
  readonly url?: string;
  /** `running`; `starting`; `waiting` for its sign-in settings; `failed` with the reason in `detail`; `idle`: scaled to zero; `stopped`. */
  readonly state: RunState;
  /** What is behind the address. */
  readonly runs: 'command' | 'image' | 'page';
  /** Whether its sign-in layer is in front of it. */
  readonly auth: boolean;
  /** How many can take requests at this moment. */
  readonly replicas: number;
  /** The revisions that run, where the app has several. */
  readonly revisions?: readonly RevisionStatus[];
  /** Why it isn't running, or why a page is shown in place of its image. */
  readonly detail?: string;
}

/** The status of one revision of an app. */
export interface RevisionStatus {
  readonly name: string;
  /** Its share of the app's requests, in per cent. */
  readonly weight: number;
  /** `https://<app>---<label>.localhost:<port>/` leads to it alone. */
  readonly labels: readonly string[];
  readonly state: Exclude<RunState, 'waiting' | 'stopped'>;
  readonly replicas: number;
  readonly detail?: string;
}

/** A request as the app received it, behind its sign-in layer. Values of secret headers are left out. */
export interface RecordedRequest {
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** An app as the console shows it. */
export interface AppView extends AppStatus {
  /** The sign-in setting as it was applied; it names secrets and holds none. */
  readonly authSetting: Readonly<Record<string, unknown>> | undefined;
  /** The latest requests of a page that is shown in place of the app's image; commands and images keep their own. */
  readonly requests: readonly RecordedRequest[];
  /** The latest sign-ins that were refused, each with the reason. */
  readonly refusals: readonly Refusal[];
}
