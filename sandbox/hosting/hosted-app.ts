import type { Logger } from 'pino';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../app-settings.js';
import { maskedPath } from '../console/activity.js';
import type { Refusal } from '../identity-provider/refusals.js';
import { refusalLines } from '../identity-provider/refusals.js';
import { AppLog } from './app-log.js';
import type { AppStatus, AppView, RecordedRequest } from './app-status.js';
import { startCommand } from './command-workload.js';
import { startImage } from './image-workload.js';
import { startPage } from './page-workload.js';
import type { ReceivedRequest } from './request-page.js';
import { secretHeader } from './request-page.js';
import type { SidecarContext } from './sidecar.js';
import { startSidecar, writeSidecarFiles } from './sidecar.js';
import type { Workload, WorkloadSpec } from './workload.js';
import { workloadSpec } from './workload-spec.js';

/** What all hosted apps share. */
export interface HostingContext extends SidecarContext {
  /** The domain of all apps, with the port: `localhost:8443`. */
  readonly domain: string;
  readonly projectDir: string;
  /** The folder of the sandbox, where what apps write is kept. */
  readonly root: string;
  /** Distinguishes this project's containers from others'. */
  readonly project: string;
  readonly log: Logger;
  /** The name of a group of the directory, for pages that stand in for apps. */
  groupName(id: string): Promise<string | undefined>;
  /** Whether a container engine answers; asked once, when the first app needs to know. */
  engine(): Promise<boolean>;
}

interface Replica {
  readonly workload: Workload;
  sidecar?: Awaited<ReturnType<typeof startSidecar>>;
}

/** How many of the latest requests are kept. */
const mostRequests = 20;
/** More replicas than these show nothing new on one machine. */
const mostReplicas = 3;
const retryMilliseconds = [1_000, 2_000, 5_000, 15_000, 30_000];

/**
 * One app of the sandbox, kept as it is declared: its replicas, each behind its own sign-in layer when the app declares one. Changes are
 * taken one after the other; the newest declaration wins.
 */
export class HostedApp {
  #declared: DeclaredApp;
  #settings: AppSettings;
  #replicas: Replica[] = [];
  #runs: AppStatus['runs'] = 'page';
  #detail: string | undefined;
  #failure: string | undefined;
  #built: { workload: string; sidecar: string; auth: string } | undefined;
  #next = 0;
  readonly #requests: RecordedRequest[] = [];
  readonly #refusals: Refusal[] = [];
  #attempt = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #work: Promise<void> = Promise.resolve();
  readonly #log: AppLog;

  constructor(
    private readonly context: HostingContext,
    declared: DeclaredApp,
    settings: AppSettings,
  ) {
    this.#declared = declared;
    this.#settings = settings;
    this.#log = new AppLog(context.root, declared.name);
    this.#schedule();
  }

  /** Takes a new declaration. */
  update(declared: DeclaredApp, settings: AppSettings): void {
    this.#declared = declared;
    this.#settings = settings;
    this.#attempt = 0;
    this.#schedule();
  }

  /** Ends its replicas and starts them again, as they are declared now. */
  async restart(): Promise<void> {
    this.#work = this.#work.then(() => this.#stopReplicas()).then(() => void (this.#built = undefined));
    this.#attempt = 0;
    this.#schedule();
    await this.#work;
  }

  /** The port of a replica to send a request to, in turn; undefined when the app isn't to be served at this moment. */
  pick(): number | undefined {
    const failure = this.#failureOf();
    // Something that ran has ended by itself: anyone who asks for the app starts it again.
    if (failure !== undefined && this.#failure === undefined) this.#tryAgain(failure);
    if (this.#declaresAuth && !this.#authReady) return undefined;
    const ports = this.#replicas.flatMap(({ workload, sidecar }) => {
      if (workload.failure() !== undefined) return [];
      if (!this.#declaresAuth) return sidecar === undefined ? [workload.port] : [];
      return sidecar === undefined || sidecar.failure() !== undefined ? [] : [sidecar.port];
    });
    this.#next = (this.#next + 1) % Math.max(ports.length, 1);
    return ports[this.#next];
  }

  status(): AppStatus {
    const { name, id, properties } = this.#declared;
    const { ingress } = (properties['configuration'] ?? {}) as { ingress?: { fqdn?: string } | null };
    const failure = this.#failure ?? this.#failureOf();
    const detail = failure ?? this.#detail;
    return {
      name,
      id,
      ...(ingress?.fqdn === undefined ? {} : { url: `https://${ingress.fqdn}/` }),
      state: this.#waiting ? 'waiting' : failure !== undefined ? 'failed' : this.pick() === undefined ? 'starting' : 'running',
      runs: this.#runs,
      auth: this.#declaresAuth,
      replicas: this.#replicas.length,
      ...(detail === undefined ? {} : { detail }),
    };
  }

  /** What the console shows of it beside its status. */
  view(): AppView {
    return { ...this.status(), authSetting: this.#declared.auth, requests: this.#requests, refusals: this.#refusals };
  }

  /** Keeps that somebody was refused, and says so in the app's log. */
  refused(refusal: Refusal): void {
    this.#refusals.push(refusal);
    if (this.#refusals.length > mostRequests) this.#refusals.shift();
    for (const line of refusalLines(refusal)) this.#log.line(0, line);
  }

  /** Ends its replicas. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#work;
    await this.#stopReplicas();
  }

  /** Whether the app is to be reached through a sign-in layer only. */
  get #declaresAuth(): boolean {
    return isOn(this.#declared.auth) || (this.#settings.requiresAuth === true && this.#declared.auth === undefined);
  }

  /** Declared to have sign-in, whose settings haven't arrived. */
  get #waiting(): boolean {
    return this.#declaresAuth && this.#declared.auth === undefined;
  }

  /** The sign-in layers run with settings that were declared at some time, never without. */
  get #authReady(): boolean {
    return !this.#waiting && this.#built !== undefined && this.#built.auth !== '';
  }

  #schedule(): void {
    clearTimeout(this.#retry);
    this.#work = this.#work.then(() => this.#reconcile());
  }

  async #reconcile(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#build();
      this.#failure = undefined;
      const failure = this.#failureOf();
      if (failure !== undefined) this.#tryAgain(failure);
      else this.#attempt = 0;
    } catch (error) {
      this.#tryAgain((error as Error).message);
    }
  }

  #tryAgain(failure: string): void {
    this.#failure = failure;
    this.#log.line(0, `castellan: ${failure}`);
    this.context.log.warn({ app: this.#declared.name, failure }, 'the app does not run');
    const pause = retryMilliseconds[Math.min(this.#attempt++, retryMilliseconds.length - 1)];
    clearTimeout(this.#retry);
    if (!this.#closed) this.#retry = setTimeout(() => this.#schedule(), pause).unref();
  }

  /** Brings what runs to what is declared, changing no more than needed. */
  async #build(): Promise<void> {
    const declared = this.#declared;
    const spec = workloadSpec(declared, this.#settings, this.context.projectDir);
    const count = Math.min(Math.max(minReplicas(declared), 1), mostReplicas);
    const dialect = this.#settings.dialect ?? 'neutral';
    const auth = isOn(declared.auth) ? JSON.stringify([declared.auth, declared.secrets]) : '';
    const next = { workload: JSON.stringify([spec, count, dialect]), sidecar: auth === '' ? '' : dialect, auth };
    if (this.#failureOf() === undefined && JSON.stringify(this.#built) === JSON.stringify(next)) return;
    if (this.#built?.workload !== next.workload) {
      await this.#stopReplicas();
      this.#built = undefined;
    }
    for (let replica = 0; replica < count && !this.#closed; replica++) {
      const running = this.#replicas[replica];
      if (running !== undefined && running.workload.failure() === undefined) continue;
      await Promise.all([running?.sidecar?.stop(), running?.workload.stop()]);
      this.#replicas[replica] = { workload: await this.#startWorkload({ ...spec, replica, onOutput: this.#log.writer(replica) }) };
    }
    await this.#buildSidecars(declared, next, dialect);
    this.#built = next;
  }

  /** Puts a sign-in layer in front of each replica, or takes it away; those that run take changed settings without a restart. */
  async #buildSidecars(declared: DeclaredApp, next: { sidecar: string; auth: string }, dialect: Dialect): Promise<void> {
    if (next.auth === '') {
      for (const replica of this.#replicas) {
        await replica.sidecar?.stop();
        delete replica.sidecar;
      }
      return;
    }
    const files = writeSidecarFiles(this.context, declared);
    const origin = `https://${declared.name}.${this.context.domain}`;
    for (const replica of this.#replicas) {
      const runs = replica.sidecar !== undefined && replica.sidecar.failure() === undefined && this.#built?.sidecar === next.sidecar;
      if (runs && this.#built?.auth !== next.auth) replica.sidecar?.reload();
      if (runs) continue;
      await replica.sidecar?.stop();
      replica.sidecar = await startSidecar(this.context, files, { upstream: replica.workload.port, origin, dialect });
    }
  }

  #failureOf(): string | undefined {
    return this.#replicas.map(({ workload, sidecar }) => workload.failure() ?? sidecar?.failure()).find((each) => each !== undefined);
  }

  async #startWorkload(spec: WorkloadSpec): Promise<Workload> {
    this.#detail = undefined;
    if (spec.command !== undefined) {
      this.#runs = 'command';
      return startCommand({ ...spec, command: spec.command }, this.context.processes, this.context.log);
    }
    let why = `No container engine answers here, so this page is shown in place of ${spec.image}.`;
    if (await this.context.engine()) {
      try {
        const workload = await startImage(spec, this.context.project);
        this.#runs = 'image';
        return workload;
      } catch (error) {
        const said = ((error as { stderr?: string }).stderr ?? (error as Error).message).trim().split('\n').at(-1) ?? '';
        why = `The image ${spec.image} can't be run here (${said.slice(0, 200)}), so this page is shown in its place.`;
      }
    }
    this.#runs = 'page';
    this.#detail = why;
    return startPage({
      ...{ app: spec.app, why, dialect: this.#settings.dialect ?? 'neutral' },
      withAuth: () => this.#declaresAuth,
      onRequest: (request) => this.#recordRequest(request),
      groupName: (id) => this.context.groupName(id),
    });
  }

  #recordRequest({ method, path, headers }: ReceivedRequest): void {
    const shown = headers.map(
      ([name, value]) => [name, secretHeader.test(name) ? `${value.length} characters, not shown` : value] as const,
    );
    this.#requests.push({ at: new Date().toISOString(), method, path: maskedPath(path), headers: shown });
    if (this.#requests.length > mostRequests) this.#requests.shift();
  }

  async #stopReplicas(): Promise<void> {
    const replicas = this.#replicas;
    this.#replicas = [];
    await Promise.all(replicas.flatMap(({ workload, sidecar }) => [sidecar?.stop(), workload.stop()]));
  }
}

function isOn(auth: DeclaredApp['auth']): boolean {
  if (auth === undefined) return false;
  return (auth['platform'] as { enabled?: boolean } | undefined)?.enabled !== false;
}

function minReplicas({ properties }: DeclaredApp): number {
  const { scale } = (properties['template'] ?? {}) as { scale?: { minReplicas?: number } | null };
  return scale?.minReplicas ?? 1;
}
