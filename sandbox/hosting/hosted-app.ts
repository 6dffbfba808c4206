import { setTimeout as wait } from 'node:timers/promises';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { DeclaredApp, Replica as ReplicaView } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../settings.js';
import type { Refusal } from '../identity-provider/refusals.js';
import { AppLog, layerLogName, notePrefix } from './app-log.js';
import type { AppStatus, AppView, WorkloadKind } from './app-status.js';
import { backOffMs } from './restart-back-off.js';
import { HostedRevision } from './hosted-revision.js';
import type { HostingContext } from './hosting-context.js';
import { RecordedRequests } from './recorded-requests.js';
import { planRevisions, type RevisionPlan } from './revision-plan.js';
import { pageReason, startWorkload } from './replica-workload.js';
import { type SidecarConfig, configureSidecars } from './sidecar-config.js';
import { signInPrefixOf } from './sign-in-prefix.js';
import { pickByWeight, revisionShares } from './traffic.js';
import type { ReplicaContext, Workload } from './workload.js';

/** The revision for a request: the one with its label or suffix, otherwise any by weight. */
export interface RevisionChoice {
  /** A label in the traffic of the app, which leads to one revision: `stage`. */
  readonly label?: string;
  /** What follows `--` in the revision's name: `blue` of `web--blue`. */
  readonly suffix?: string;
}

/** The replica for a request: its port, taken until the request has ended. */
export interface ReplicaLease {
  /** Of 127.0.0.1; that of its sign-in layer, if the app has one. */
  readonly port: number;
  /** Called when the request has ended. */
  release(): void;
}

/** How many of the latest refusals are kept. */
const maxRefusals = 20;
/** How often replicas are scaled, and replaced revisions checked. */
const dueWorkIntervalMs = 250;
/** How long a request waits for the first replica of an app that was scaled to zero. */
const wakeTimeoutMs = 60_000;
/** How often a waiting request looks for that replica. */
const wakePollMs = 25;

/**
 * An app of the sandbox, kept as declared: its revisions and their replicas, each with its own
 * sign-in layer if the app declares one. Changes are processed one after the other; the newest
 * declaration wins.
 */
export class HostedApp {
  #declaredApp: DeclaredApp;
  #settings: AppSettings;
  #revisions: HostedRevision[] = [];
  /** Replaced revisions, which serve until the images of their successors are ready. */
  #retiring: HostedRevision[] = [];
  #workloadKind: WorkloadKind = 'page';
  #detail: string | undefined;
  #failure: string | undefined;
  #sidecar: SidecarConfig | undefined;
  readonly #requests = new RecordedRequests();
  readonly #refusals: Refusal[] = [];
  #retryAttempt = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #dueWorkTimer: NodeJS.Timeout;
  #isClosed = false;
  /** The changes in progress, which the next one waits for. */
  #pendingChanges: Promise<void> = Promise.resolve();
  readonly #log: AppLog;
  readonly #layerLog: AppLog;

  constructor(
    private readonly context: HostingContext,
    declaredApp: DeclaredApp,
    settings: AppSettings,
  ) {
    this.#declaredApp = declaredApp;
    this.#settings = settings;
    this.#log = new AppLog(context.root, declaredApp.name);
    this.#layerLog = new AppLog(context.root, layerLogName(declaredApp.name));
    this.#dueWorkTimer = setInterval(() => this.#scheduleDueWork(), dueWorkIntervalMs).unref();
    this.#schedule();
  }

  /** Reconciles the app with a new declaration. */
  update(declaredApp: DeclaredApp, settings: AppSettings): void {
    const isSame =
      JSON.stringify([declaredApp, settings]) ===
      JSON.stringify([this.#declaredApp, this.#settings]);
    this.#declaredApp = declaredApp;
    this.#settings = settings;
    // an image that is still being pulled may be obsolete
    if (!isSame)
      for (const revision of this.#revisions)
        if (revision.status().state === 'starting') revision.cancelStart();
    this.#retryAttempt = 0;
    this.#schedule();
  }

  /** Stops its replicas and starts them again, as presently declared. */
  async restart(): Promise<void> {
    this.#pendingChanges = this.#pendingChanges.then(() => this.#stopAll());
    this.#retryAttempt = 0;
    this.#schedule();
    await this.#pendingChanges;
  }

  /**
   * The replica for a request; undefined if there is none now. If the app was scaled to zero, a
   * request starts a replica and waits for it, or for that of the revision which replaces it.
   */
  async lease(choice: RevisionChoice): Promise<ReplicaLease | undefined> {
    this.#recover();
    if (this.#lacksSidecars) return undefined;
    const chosen = this.#chooseRevision(choice);
    if (chosen === undefined) return undefined;
    let revision: HostedRevision = chosen;
    let release = revision.scaler.beginRequest();
    const deadline = performance.now() + wakeTimeoutMs;
    let port = revision.nextPort();
    const { isAsleep } = chosen;
    while (port === undefined && isAsleep && performance.now() < deadline) {
      const isOver = this.#isClosed || this.#declaredApp.isStopped === true;
      if (revision.status().state === 'failed' || isOver) break;
      if (revision.wake()) this.#schedule();
      await wait(wakePollMs);
      // undefined until its predecessor has stopped
      const successor: HostedRevision | undefined = revision.isStopped
        ? this.#chooseRevision(choice)
        : undefined;
      if (successor !== undefined) {
        release();
        release = successor.scaler.beginRequest();
        revision = successor;
      }
      port = revision.nextPort();
    }
    port ??= this.#retiring.map((each) => each.nextPort()).find((each) => each !== undefined);
    // sign-in may have been declared in the meantime
    if (port !== undefined && !this.#lacksSidecars) return { port, release };
    release();
    return undefined;
  }

  status(): AppStatus {
    this.#recover();
    const { name, id, properties } = this.#declaredApp;
    const { ingress } = (properties['configuration'] ?? {}) as {
      ingress?: { fqdn?: string } | null;
    };
    const revisions = this.#revisions.map((revision) => revision.status());
    const failedRevision = revisions.find(({ state }) => state === 'failed');
    const detail =
      this.#failure ??
      failedRevision?.detail ??
      this.#detail ??
      revisions.find((each) => each.detail !== undefined)?.detail;
    return {
      name,
      id,
      ...(ingress?.fqdn !== undefined && { url: `https://${ingress.fqdn}/` }),
      state: this.#stateOf(revisions.map(({ state }) => state)),
      runs: this.#workloadKind,
      auth: this.#declaresAuth,
      replicas: revisions.reduce((sum, { replicas }) => sum + replicas, 0),
      ...(revisions.length > 1 && { revisions }),
      ...omitUndefined({ detail }),
    };
  }

  /**
   * Calls back for each line of the app or its sign-in layers.
   *
   * @returns a function that stops it
   */
  subscribeToLogs(listener: (line: string, source: 'app' | 'layer') => void): () => void {
    const stops = [
      this.#log.subscribe((line) => listener(line, 'app')),
      this.#layerLog.subscribe((line) => listener(line, 'layer')),
    ];
    return () => stops.forEach((stop) => stop());
  }

  /** The data of the console besides the status. */
  view(): AppView {
    return {
      ...this.status(),
      authSetting: this.#declaredApp.auth,
      requests: this.#requests.latest,
      refusals: this.#refusals,
    };
  }

  /** Records a refused sign-in, also in the app's log. */
  recordRefusal(refusal: Refusal, lines: readonly string[]): void {
    this.#refusals.push(refusal);
    if (this.#refusals.length > maxRefusals) this.#refusals.shift();
    const now = new Date();
    for (const line of lines) this.#log.writeLine(0, line, now);
  }

  /** Ends its replicas. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#dueWorkTimer);
    for (const revision of [...this.#revisions, ...this.#retiring]) revision.cancelStart();
    await this.#pendingChanges;
    await this.#stopAll();
  }

  /** The running replicas of a revision. */
  replicas(revision: string): readonly ReplicaView[] {
    return this.#revisions.find(({ plan }) => plan.name === revision)?.replicas ?? [];
  }

  /** Whether the app may only be reached through a sign-in layer. */
  get #declaresAuth(): boolean {
    return (
      isAuthEnabled(this.#declaredApp.auth) ||
      (this.#settings.requiresAuth === true && this.#declaredApp.auth === undefined)
    );
  }

  /** Whether the app may not be reached yet, because it has no sign-in layers. */
  get #lacksSidecars(): boolean {
    return this.#declaresAuth && this.#sidecar === undefined;
  }

  /** Whether the app is declared to have sign-in, but its sign-in settings have not been applied. */
  get #waitsForAuth(): boolean {
    return this.#declaresAuth && this.#declaredApp.auth === undefined;
  }

  #stateOf(states: readonly AppStatus['state'][]): AppStatus['state'] {
    if (this.#declaredApp.isStopped) return 'stopped';
    if (this.#waitsForAuth) return 'waiting';
    if (states.includes('failed') || (this.#failure !== undefined && !states.includes('running')))
      return 'failed';
    if (states.length === 0 || states.includes('starting')) return 'starting';
    if (this.#lacksSidecars) return 'starting';
    return states.includes('running') ? 'running' : 'idle';
  }

  #chooseRevision({ label, suffix }: RevisionChoice): HostedRevision | undefined {
    if (label !== undefined) return this.#revisions.find(({ plan }) => plan.labels.includes(label));
    if (suffix !== undefined)
      return this.#revisions.find(
        ({ plan }) => plan.name === `${this.#declaredApp.name}--${suffix}`,
      );
    const shares = this.#revisions.map((revision) => ({ revision, weight: revision.plan.weight }));
    return pickByWeight(shares, Math.random())?.revision;
  }

  /** Schedules the restart of replicas that have ended. */
  #recover(): void {
    if (this.#failure !== undefined) return;
    const failure = this.#revisions
      .map((revision) => revision.failure)
      .find((each) => each !== undefined);
    if (failure !== undefined) this.#scheduleRetry(failure);
  }

  /** Schedules scaling, and the end of replaced revisions. */
  #scheduleDueWork(): void {
    const canRetire =
      this.#retiring.length > 0 &&
      this.#revisions.every(({ ports, isAsleep }) => ports.length > 0 || isAsleep);
    // after a failure, scaling waits for the retry; by `filter` every revision is checked
    const shouldScale =
      this.#failure === undefined &&
      this.#revisions.filter((revision) => revision.needsScaling()).length > 0;
    if (canRetire || shouldScale) this.#schedule(canRetire ? 'retire' : 'keep');
  }

  /** Schedules a reconciliation. @param retiring whether replaced revisions are stopped before it */
  #schedule(retiring: 'retire' | 'keep' = 'keep'): void {
    clearTimeout(this.#retryTimer);
    this.#pendingChanges = this.#pendingChanges.then(async () => {
      if (retiring === 'retire') await stopRevisions(this.#retiring.splice(0));
      await this.#reconcile();
    });
  }

  async #reconcile(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#reconcileRevisions();
      this.#failure = undefined;
      this.#recover();
      if (this.#failure === undefined) this.#retryAttempt = 0;
    } catch (error) {
      this.#scheduleRetry((error as Error).message);
    }
  }

  #scheduleRetry(failure: string): void {
    this.#failure = failure;
    this.#log.writeLine(0, `${notePrefix}${failure}`);
    this.context.log.warn({ app: this.#declaredApp.name, failure }, 'the app does not run');
    clearTimeout(this.#retryTimer);
    if (!this.#isClosed)
      this.#retryTimer = setTimeout(
        () => this.#schedule(),
        backOffMs(this.#retryAttempt++),
      ).unref();
  }

  /** Reconciles the running revisions with the declaration, with as few changes as possible. */
  async #reconcileRevisions(): Promise<void> {
    const declaredApp = this.#declaredApp;
    const plans = await planRevisions(
      declaredApp,
      this.#settings,
      this.context,
      this.#workloadKind,
    );
    this.#workloadKind = plans.at(-1)?.workloadKind ?? 'page';
    const remaining = this.#revisions.filter(
      ({ plan, isStopped }) =>
        !isStopped && plans.some(({ replicaKey }) => replicaKey === plan.replicaKey),
    );
    const obsolete = this.#revisions.filter((revision) => !remaining.includes(revision));
    // An image is replaced when its successor is ready; a command may need the same files and ports
    // as its predecessor.
    const staysUntilReplaced = (each: HostedRevision): boolean =>
      each.plan.workloadKind === 'image' &&
      this.#workloadKind === 'image' &&
      each.ports.length > 0 &&
      !plans.some(({ name }) => name === each.plan.name);
    this.#retiring.push(...obsolete.filter(staysUntilReplaced));
    this.#revisions = remaining;
    await stopRevisions(obsolete.filter((each) => !this.#retiring.includes(each)));
    this.#revisions = plans.map((plan) => {
      const running = remaining.find((revision) => revision.plan.replicaKey === plan.replicaKey);
      running?.setPlan(plan);
      return running ?? this.#createRevision(plan);
    });
    const sidecar = isAuthEnabled(declaredApp.auth)
      ? configureSidecars(
          { declared: declaredApp, settings: this.#settings, plans },
          this.context,
          this.#sidecar,
        )
      : undefined;
    const results = await Promise.allSettled(
      this.#revisions.map((revision) => revision.reconcile(sidecar)),
    );
    this.#sidecar = sidecar;
    const failedResult = results.find((result) => result.status === 'rejected');
    if (failedResult !== undefined) throw failedResult.reason;
  }

  #createRevision(plan: RevisionPlan): HostedRevision {
    const hasSeveral = revisionShares(this.#declaredApp).length > 1;
    return new HostedRevision(plan, {
      app: this.#declaredApp.name,
      writeLayerOutput: this.#layerLog.writer(0),
      sidecars: this.context,
      start: (startedPlan, replica) => this.#startWorkload(startedPlan, replica),
      openOutput: (replica, container) => {
        const part = [
          ...(hasSeveral ? [plan.name] : []),
          ...(container === undefined ? [] : [container]),
        ].join(' ');
        return this.#log.writer(replica, part);
      },
      onEnd: () => this.#recover(),
    });
  }

  #startWorkload(plan: RevisionPlan, replica: ReplicaContext): Promise<Workload> {
    this.#detail = plan.spec.showsRequestPage ? undefined : pageReason(plan);
    return startWorkload(plan, replica, this.context, {
      dialect: this.#settings.dialect ?? 'neutral',
      signInPrefix: () => (this.#declaresAuth ? signInPrefixOf(this.#declaredApp.auth) : undefined),
      onRequest: (request) => this.#requests.add(request),
    });
  }

  #stopAll(): Promise<void> {
    return stopRevisions([...this.#revisions.splice(0), ...this.#retiring.splice(0)]);
  }
}

async function stopRevisions(revisions: readonly HostedRevision[]): Promise<void> {
  await Promise.all(revisions.map((revision) => revision.stop()));
}

/** Whether a sign-in setting turns the layer on: `platform.enabled`, which is true by default. */
function isAuthEnabled(auth: DeclaredApp['auth']): boolean {
  if (auth === undefined) return false;
  return (auth['platform'] as { enabled?: boolean } | undefined)?.enabled !== false;
}
