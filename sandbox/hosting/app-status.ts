/** How one app fares. */
export interface AppStatus {
  readonly name: string;
  readonly id: string;
  /** Where it is reached; absent without ingress. */
  readonly url?: string;
  /** `running`; `starting`; `waiting` for its sign-in settings; `failed` with the reason in `detail`. */
  readonly state: 'running' | 'starting' | 'waiting' | 'failed';
  /** What stands behind the address. */
  readonly runs: 'command' | 'image' | 'page';
  readonly auth: boolean;
  readonly replicas: number;
  /** Why it isn't running, or why something else than its image stands there. */
  readonly detail?: string;
}
