import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs, type Processes, stableAfterMs } from './processes.js';
import { docker } from './container-engine.js';
import { watchProbe } from './probe.js';
import type { ContainerSpec } from './workload.js';

/** The context of a container. */
export interface ContainerContext {
  readonly processes: Processes;
  /** The container's name in the engine, if it exists. */
  readonly name: string;
  /** The local port that is forwarded to one of the container's. */
  portOf(inside: number): number;
  readonly output: (text: string) => void;
  readonly graceSeconds: number;
  /** Aborts the work with the container. */
  readonly signal: AbortSignal;
}

/** Ignores an aborted wait: the end of the container is handled elsewhere. */
const unlessAborted = (error: unknown): void => {
  if ((error as Error).name !== 'AbortError') throw error;
};

/**
 * A container of a replica: started, probed, and restarted with growing pauses whenever it ends.
 */
export class Container {
  #ready = false;
  #unreadyReason: string | undefined;
  #killedFor: string | undefined;

  constructor(
    private readonly spec: ContainerSpec,
    private readonly context: ContainerContext,
  ) {}

  /** Whether it has started and can take requests. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Why it is not ready, once known. */
  get unreadyReason(): string | undefined {
    return this.#unreadyReason;
  }

  /**
   * Keeps it running until aborted; an init container until it has succeeded.
   *
   * @throws Error when the engine or the container is gone.
   */
  async keep(kind: 'init' | 'app'): Promise<void> {
    const { signal, output } = this.context;
    for (let attempt = 0; ; attempt++) {
      const began = performance.now();
      const { code, reason } = await this.#once();
      if (signal.aborted || (kind === 'init' && code === 0)) return;
      if (performance.now() - began > stableAfterMs) attempt = 0;
      this.#unreadyReason = `the container ${this.spec.name} ${reason}`;
      const pause = backOffMs(attempt);
      output(`castellan: ${this.#unreadyReason}; it is started again in ${pause / 1_000} s\n`);
      await wait(pause, undefined, { signal }).catch(unlessAborted);
      if (signal.aborted) return;
    }
  }

  /** Runs it once, to its end. */
  async #once(): Promise<{ code: number; reason: string }> {
    const { processes, name, signal, output } = this.context;
    let last = '';
    const child = processes.spawn('docker', ['start', '--attach', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        last = text.trim().split('\n').at(-1)?.slice(0, 300) || last;
        output(text);
      });
    const life = new AbortController();
    const both = AbortSignal.any([life.signal, signal]);
    this.#killedFor = undefined;
    const exit = new Promise<void>((done) =>
      child.once('close', () => done()).once('error', () => done()),
    );
    const watched = this.#watch(both).catch(unlessAborted);
    await exit;
    life.abort();
    await watched;
    this.#ready = false;
    if (signal.aborted) return { code: 0, reason: '' };
    const state = JSON.parse(await docker(['inspect', '--format', '{{json .State}}', name])) as {
      ExitCode: number;
      OOMKilled: boolean;
      Error: string;
      Running: boolean;
    };
    if (state.Running) throw new Error('the container engine ended the connection to it');
    const why =
      this.#killedFor ??
      (state.Error !== ''
        ? `can't be started: ${state.Error.slice(0, 400)}`
        : state.OOMKilled
          ? `took more memory than its limit allows (${(this.spec.memory ?? 0) / 1024 ** 3} Gi)`
          : `ended (exit code ${state.ExitCode})${last === '' ? '' : `: ${last}`}`);
    return { code: state.ExitCode, reason: why };
  }

  /** Probes it: it becomes ready or unready, and is ended when it is no longer alive. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { startup, readiness, liveness } = this.spec.probes;
    const { name, portOf } = this.context;
    while (
      (await docker(['inspect', '--format', '{{.State.Running}}', name], { signal })) !== 'true'
    )
      await wait(50, undefined, { signal });
    if (startup !== undefined) await this.#untilStarted(startup, signal);
    const ready = (reason: string | undefined): void => {
      this.#ready = reason === undefined;
      this.#unreadyReason =
        reason === undefined
          ? undefined
          : `the container ${this.spec.name} is not ready: ${reason}`;
    };
    if (readiness === undefined) ready(undefined);
    await Promise.all([
      readiness === undefined
        ? undefined
        : watchProbe(readiness, portOf(readiness.port), signal, ready),
      liveness === undefined
        ? undefined
        : watchProbe(liveness, portOf(liveness.port), signal, (reason) => {
            if (reason !== undefined)
              void this.#kill(`did not answer its liveness probe: ${reason}`);
          }),
    ]);
  }

  /** Waits for the first successful probe; the container is ended after too many failures. */
  async #untilStarted(
    startup: NonNullable<ContainerSpec['probes']['startup']>,
    signal: AbortSignal,
  ): Promise<void> {
    const started = new AbortController();
    await watchProbe(
      startup,
      this.context.portOf(startup.port),
      AbortSignal.any([signal, started.signal]),
      (reason) => {
        if (reason === undefined) started.abort();
        else void this.#kill(`did not start: ${reason}`);
      },
    ).catch(unlessAborted);
    signal.throwIfAborted();
  }

  async #kill(reason: string): Promise<void> {
    this.#killedFor = reason;
    this.#ready = false;
    await docker(['stop', '-t', String(this.context.graceSeconds), this.context.name]).catch(
      (error: unknown) =>
        this.context.output(
          `castellan: the container ${this.spec.name} could not be ended: ${(error as Error).message}\n`,
        ),
    );
  }
}
