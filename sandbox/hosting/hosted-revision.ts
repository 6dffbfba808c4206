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
  /** The app's name. */
  readonly app: string;
  /** Writes what the sign-in layers log. */
  readonly writeLayerOutput: (text: string) => void;
  readonly sidecars: SidecarContext;
  /** Starts a replica. */
  start(plan: RevisionPlan, replica: ReplicaContext): Promise<Workload>;
  /** A function that writes the output of a replica. */
  openOutput(replicaIndex: number, container?: string): (text: string) => void;
  /** Called when a replica has ended. */
  onEnd(): void;
}

interface Replica {
  readonly name: string;
  /** ISO 8601. */
  readonly createdTime: string;
  /** What runs in it: containers, a command or a page. */
  readonly workload: Workload;
  /** Its sign-in layer, if the app has one. */
  sidecar?: Awaited<ReturnType<typeof startSidecar>>;
  /** Between layer and workload, where the fault `lostPrincipal` is injected. */
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
  #isAsleep = false;
  /** Whether a request has started the revision from zero replicas. */
  #isWoken = false;
  /** The index of the replica that got the latest request. */
  #latestReplica = 0;
  #scaleCheckedAt = performance.now();
  readonly #stopping = new AbortController();

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

  /** Sets a plan that differs in its share of the traffic only, without a restart. */
  setPlan(plan: RevisionPlan): void {
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
    return this.#isAsleep;
  }

  /** Returns true for the first request that finds it scaled to zero, which then starts it. */
  wake(): boolean {
    if (!this.#isAsleep || this.#isWoken || this.#replicas.length > 0) return false;
    this.#isWoken = true;
    return true;
  }

  /** Whether it was stopped. */
  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
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
      isReady: this.#portOf(each) !== undefined,
    }));
  }

  /** The port for requests to a replica: that of its sign-in layer, if the app has one. */
  #portOf({ workload, sidecar }: Replica): number | undefined {
    if (!workload.isReady()) return undefined;
    if (this.#sidecar === undefined) return workload.port;
    return sidecar?.failure() === undefined ? sidecar?.port : undefined;
  }

  /** The port for the next request: the replicas take turns. */
  nextPort(): number | undefined {
    const { ports } = this;
    if (ports.length > 0) this.#isAsleep = false;
    this.#latestReplica = (this.#latestReplica + 1) % Math.max(ports.length, 1);
    return ports[this.#latestReplica];
  }

  /**
   * Checks, as often as the scale rule says, whether the number of replicas should change.
   */
  needsScaling(): boolean {
    const now = performance.now();
    if (now - this.#scaleCheckedAt < this.#plan.rule.pollingMs) return false;
    this.#scaleCheckedAt = now;
    return this.scaler.desiredReplicas() !== this.#replicas.length;
  }

  status(): RevisionStatus {
    const { name, weight, labels } = this.#plan;
    const { ports } = this;
    const detail =
      this.failure ?? this.#replicas.map(({ workload }) => workload.unreadyReason()).find(Boolean);
    return {
      name,
      weight,
      labels,
      state: this.#stateOf(ports, detail),
      replicas: ports.length,
      ...omitUndefined({ detail }),
    };
  }

  #stateOf(ports: readonly number[], detail: string | undefined): RevisionStatus['state'] {
    if (ports.length > 0) return 'running';
    if (detail !== undefined) return 'failed';
    return this.#replicas.length === 0 && this.#isAsleep ? 'idle' : 'starting';
  }

  /**
   * Starts and stops replicas and their sign-in layers as plan, load and configuration need.
   *
   * @throws Error when a replica can't be started.
   */
  async reconcile(config: SidecarConfig | undefined): Promise<void> {
    const previous = this.#sidecar;
    // from now on replicas are reached only through the layer
    this.#sidecar = config;
    try {
      await this.#reconcileReplicas();
      await this.#reconcileSidecars(config, previous);
      this.#failure = undefined;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#failure = (error as Error).message;
      throw error;
    }
  }

  /** Cancels replicas that are starting. */
  cancelStart(): void {
    this.#stopping.abort();
  }

  async stop(): Promise<void> {
    this.cancelStart();
    await this.#stopReplicas(0);
  }

  async #reconcileReplicas(): Promise<void> {
    const target = this.scaler.desiredReplicas();
    this.#isWoken = false;
    if (target === 0) this.#isAsleep = true;
    await this.#stopReplicas(target);
    for (let index = 0; index < target && !this.#stopping.signal.aborted; index++) {
      const runningReplica = this.#replicas[index];
      if (runningReplica !== undefined && runningReplica.workload.failure() === undefined) continue;
      if (runningReplica !== undefined)
        await Promise.all([stopSidecar(runningReplica), runningReplica.workload.stop()]);
      const { signal } = this.#stopping;
      const openOutput = (container?: string): ((text: string) => void) =>
        this.host.openOutput(index, container);
      const workload = await this.host.start(this.#plan, {
        index,
        openOutput,
        signal,
        onEnd: () => this.host.onEnd(),
      });
      const name = `${this.#plan.name}-${randomHex(10)}-${randomHex(5)}`;
      this.#replicas[index] = { name, createdTime: new Date().toISOString(), workload };
    }
    // a replica may have started while the revision was being stopped
    if (this.#stopping.signal.aborted) await this.#stopReplicas(0);
  }

  /**
   * Adds or removes the sign-in layer of each replica; running ones read changed settings without a
   * restart.
   */
  async #reconcileSidecars(
    config: SidecarConfig | undefined,
    previous: SidecarConfig | undefined,
  ): Promise<void> {
    if (config === undefined) {
      for (const replica of this.#replicas) {
        await stopSidecar(replica);
        delete replica.sidecar;
      }
      return;
    }
    const { files, origins, dialect, settingsJson, shouldDropPrincipal } = config;
    const hasSameFlags =
      previous?.dialect === dialect &&
      previous.origins.join() === origins.join() &&
      previous.shouldDropPrincipal === shouldDropPrincipal;
    for (const replica of this.#replicas) {
      const { sidecar } = replica;
      const keepsRunning = hasSameFlags && sidecar !== undefined && sidecar.failure() === undefined;
      if (keepsRunning && previous.settingsJson !== settingsJson) sidecar.reload();
      if (keepsRunning) continue;
      await stopSidecar(replica);
      const { port } = replica.workload;
      if (shouldDropPrincipal !== undefined)
        replica.relay = await openPrincipalRelay(port, shouldDropPrincipal);
      replica.sidecar = await startSidecar(this.host.sidecars, files, {
        app: this.host.app,
        upstreamPort: replica.relay?.port ?? port,
        origins,
        dialect,
        writeOutput: this.host.writeLayerOutput,
      });
    }
  }

  /** Stops all replicas but the first ones. */
  async #stopReplicas(remaining: number): Promise<void> {
    const surplus = this.#replicas.slice(remaining);
    this.#replicas = this.#replicas.slice(0, remaining);
    await Promise.all(
      surplus.flatMap((replica) => [stopSidecar(replica), replica.workload.stop()]),
    );
  }
}

function randomHex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
}

/** Stops the sign-in layer of a replica. */
async function stopSidecar(replica: Replica): Promise<void> {
  await replica.sidecar?.stop();
  replica.relay?.close();
  delete replica.relay;
}
