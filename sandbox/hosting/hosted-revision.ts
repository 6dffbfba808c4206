import { randomBytes } from 'node:crypto';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Replica as ReplicaView } from '../../services/resource-manager/index.js';
import { openPrincipalRelay, type PrincipalRelay } from '../faults/principal-relay.js';
import type { RevisionStatus } from './app-status.js';
import type { RevisionPlan } from './revision-plan.js';
import { Scaler } from './scale.js';
import { type SidecarContext, startSidecar } from './sidecar.js';
import type { SidecarConfig } from './sidecar-config.js';
import type { ReplicaContext, Workload } from './workload.js';

/** The revision's access to its app. */
export interface RevisionHost {
  readonly app: string;
  /** Gets what the sign-in layers log. */
  readonly layerOutput: (text: string) => void;
  readonly sidecars: SidecarContext;
  start(plan: RevisionPlan, replica: ReplicaContext): Promise<Workload>;
  output(replica: number, container?: string): (text: string) => void;
  /** Called when a replica has ended. */
  onEnd(): void;
}

interface Replica {
  readonly name: string;
  readonly createdTime: string;
  readonly workload: Workload;
  sidecar?: Awaited<ReturnType<typeof startSidecar>>;
  relay?: PrincipalRelay;
}

/**
 * A revision of an app: as many replicas as its requests need, each with the sign-in layer of the
 * app.
 */
export class HostedRevision {
  readonly scaler: Scaler;
  #plan: RevisionPlan;
  #replicas: Replica[] = [];
  #sidecar: SidecarConfig | undefined;
  #failure: string | undefined;
  #asleep = false;
  #called = false;
  #next = 0;
  #looked = performance.now();
  readonly #end = new AbortController();

  constructor(
    plan: RevisionPlan,
    private readonly host: RevisionHost,
  ) {
    this.#plan = plan;
    this.scaler = new Scaler(plan.rule);
  }

  get plan(): RevisionPlan {
    return this.#plan;
  }

  /** Changes its share of the traffic, without a restart. */
  share(plan: RevisionPlan): void {
    this.#plan = plan;
  }

  /** Why no replica could be started, or why one ended. */
  get failure(): string | undefined {
    return (
      this.#failure ??
      this.#replicas
        .map(({ workload, sidecar }) => workload.failure() ?? sidecar?.failure())
        .find(Boolean)
    );
  }

  /** Whether it is scaled to zero, or starting from there. */
  get isAsleep(): boolean {
    return this.#asleep;
  }

  /** Returns true for the first request that finds it scaled to zero, which then starts it. */
  wake(): boolean {
    if (!this.#asleep || this.#called || this.#replicas.length > 0) return false;
    return (this.#called = true);
  }

  /** Whether it was stopped. */
  get isStopped(): boolean {
    return this.#end.signal.aborted;
  }

  /** The ports of the replicas that can get requests. */
  get ports(): number[] {
    return this.#replicas.flatMap((replica) => this.#portOf(replica) ?? []);
  }

  /** The running replicas, ready or not. */
  get replicas(): ReplicaView[] {
    return this.#replicas.map((each) => ({
      name: each.name,
      createdTime: each.createdTime,
      ready: this.#portOf(each) !== undefined,
    }));
  }

  #portOf({ workload, sidecar }: Replica): number | undefined {
    if (!workload.ready()) return undefined;
    if (this.#sidecar === undefined) return workload.port;
    return sidecar?.failure() === undefined ? sidecar?.port : undefined;
  }

  /** The port of a replica, in turns. */
  pick(): number | undefined {
    const { ports } = this;
    if (ports.length > 0) this.#asleep = false;
    this.#next = (this.#next + 1) % Math.max(ports.length, 1);
    return ports[this.#next];
  }

  /** Whether the number of replicas should change; checked as often as the scale rule says. */
  shouldScale(): boolean {
    const now = performance.now();
    if (now - this.#looked < this.#plan.rule.polling) return false;
    this.#looked = now;
    return this.scaler.desiredReplicas() !== this.#replicas.length;
  }

  status(): RevisionStatus {
    const { name, weight, labels } = this.#plan;
    const { ports } = this;
    const detail =
      this.failure ?? this.#replicas.map(({ workload }) => workload.restartError()).find(Boolean);
    const idle = this.#replicas.length === 0 && this.#asleep;
    const state =
      ports.length > 0 ? 'running' : detail !== undefined ? 'failed' : idle ? 'idle' : 'starting';
    return {
      name,
      weight,
      labels,
      state,
      replicas: ports.length,
      ...omitUndefined({ detail }),
    };
  }

  /**
   * Reconciles the replicas, and their sign-in layers, with the present specification.
   *
   * @throws when a replica can't be started.
   */
  async ensure(config: SidecarConfig | undefined): Promise<void> {
    const before = this.#sidecar;
    // from now on replicas are reached only through it
    this.#sidecar = config;
    try {
      await this.#ensureReplicas();
      await this.#ensureSidecar(config, before);
      this.#failure = undefined;
    } catch (error) {
      if (this.#end.signal.aborted) return;
      this.#failure = (error as Error).message;
      throw error;
    }
  }

  /** Cancels replicas that are starting. */
  abandon(): void {
    this.#end.abort();
  }

  async stop(): Promise<void> {
    this.abandon();
    await this.#stopReplicas(0);
  }

  async #ensureReplicas(): Promise<void> {
    const target = this.scaler.desiredReplicas();
    this.#called = false;
    if (target === 0) this.#asleep = true;
    await this.#stopReplicas(target);
    for (let replica = 0; replica < target && !this.#end.signal.aborted; replica++) {
      const running = this.#replicas[replica];
      if (running !== undefined && running.workload.failure() === undefined) continue;
      if (running !== undefined) await Promise.all([stopFront(running), running.workload.stop()]);
      const { signal } = this.#end;
      const output = (container?: string): ((text: string) => void) =>
        this.host.output(replica, container);
      const workload = await this.host.start(this.#plan, {
        replica,
        output,
        signal,
        onEnd: () => this.host.onEnd(),
      });
      const name = `${this.#plan.name}-${randomBytes(5).toString('hex')}-${randomBytes(3).toString('hex').slice(1)}`;
      this.#replicas[replica] = { name, createdTime: new Date().toISOString(), workload };
    }
    // started while it was being stopped
    if (this.#end.signal.aborted) await this.#stopReplicas(0);
  }

  /**
   * Adds or removes the sign-in layer of each replica; running ones read changed settings without a
   * restart.
   */
  async #ensureSidecar(
    config: SidecarConfig | undefined,
    before: SidecarConfig | undefined,
  ): Promise<void> {
    if (config === undefined) {
      for (const replica of this.#replicas) {
        await stopFront(replica);
        delete replica.sidecar;
      }
      return;
    }
    const { files, origins, dialect, settings, losesPrincipal } = config;
    const same =
      before?.dialect === dialect &&
      before.origins.join() === origins.join() &&
      before.losesPrincipal === losesPrincipal;
    for (const replica of this.#replicas) {
      const { sidecar } = replica;
      const runs = same && sidecar !== undefined && sidecar.failure() === undefined;
      if (runs && before.settings !== settings) sidecar.reload();
      if (runs) continue;
      await stopFront(replica);
      const { port } = replica.workload;
      if (losesPrincipal !== undefined)
        replica.relay = await openPrincipalRelay(port, losesPrincipal);
      replica.sidecar = await startSidecar(this.host.sidecars, files, {
        app: this.host.app,
        upstream: replica.relay?.port ?? port,
        origins,
        dialect,
        output: this.host.layerOutput,
      });
    }
  }

  /** Stops the replicas above a number. */
  async #stopReplicas(remaining: number): Promise<void> {
    const surplus = this.#replicas.slice(remaining);
    this.#replicas = this.#replicas.slice(0, remaining);
    await Promise.all(surplus.flatMap((replica) => [stopFront(replica), replica.workload.stop()]));
  }
}

/** Stops the sign-in layer of a replica. */
async function stopFront(replica: Replica): Promise<void> {
  await replica.sidecar?.stop();
  replica.relay?.close();
  delete replica.relay;
}
