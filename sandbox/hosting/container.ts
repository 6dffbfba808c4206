import { setTimeout as wait } from 'node:timers/promises';
import { notePrefix } from './app-log.js';
import type { Processes } from './processes.js';
import { backOffMs, stableAfterMs } from './restart-back-off.js';
import { docker } from './container-engine.js';
import { watchProbe } from './probe.js';
import type { ContainerSpec } from './workload.js';

/** The context of a container. */
export interface ContainerContext {
  readonly processes: Processes;
  /** The container's name in the engine. */
  readonly name: string;
  /** The local port that is forwarded to a port of the container. */
  localPort(containerPort: number): number;
  /** Writes to the app's log: what the container prints, and why it is started again. */
  readonly writeOutput: (text: string) => void;
  /** How long it may take to end after it was told to. */
  readonly graceSeconds: number;
  /** Ends the work with the container. */
  readonly signal: AbortSignal;
}

/** Ignores an aborted wait: whoever aborts it handles the end of the container. */
const ignoreAbort = (error: unknown): void => {
  if ((error as Error).name !== 'AbortError') throw error;
};

/** The state of a container, as `docker inspect` prints it. */
interface EngineState {
  readonly ExitCode: number;
  readonly OOMKilled: boolean;
  /** Why it could not be started; empty if it was. */
  readonly Error: string;
  readonly Running: boolean;
}

/**
 * A container of a replica: started, probed, and restarted with growing pauses whenever it ends.
 */
export class Container {
  #ready = false;
  #unreadyReason: string | undefined;
  /** Why its probes ended it. */
  #killReason: string | undefined;

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
   * Runs it again whenever it ends, until aborted; an init container until it has succeeded.
   *
   * @throws Error when the engine or the container is gone.
   */
  async keepRunning(kind: 'init' | 'app'): Promise<void> {
    const { signal, writeOutput } = this.context;
    for (let attempt = 0; ; attempt++) {
      const startedAt = performance.now();
      const { code, reason } = await this.#runOnce();
      if (signal.aborted || (kind === 'init' && code === 0)) return;
      if (performance.now() - startedAt > stableAfterMs) attempt = 0;
      this.#unreadyReason = `the container ${this.spec.name} ${reason}`;
      const pause = backOffMs(attempt);
      writeOutput(
        `${notePrefix}${this.#unreadyReason}; it is started again in ${pause / 1_000} s\n`,
      );
      await wait(pause, undefined, { signal }).catch(ignoreAbort);
      if (signal.aborted) return;
    }
  }

  /** Runs it once, to its end. */
  async #runOnce(): Promise<{ code: number; reason: string }> {
    const { processes, name, signal, writeOutput } = this.context;
    let lastLine = '';
    const child = processes.spawn('docker', ['start', '--attach', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        lastLine = text.trim().split('\n').at(-1)?.slice(0, 300) || lastLine;
        writeOutput(text);
      });
    const ended = new AbortController();
    this.#killReason = undefined;
    const exit = new Promise<void>((done) =>
      child.once('close', () => done()).once('error', () => done()),
    ).then(() => ended.abort());
    const probing = this.#probe(AbortSignal.any([ended.signal, signal])).catch(ignoreAbort);
    // a container that can't be probed is not waited for: it would never get requests
    await Promise.all([exit, probing]);
    this.#ready = false;
    if (signal.aborted) return { code: 0, reason: '' };
    const state = JSON.parse(
      await docker(['inspect', '--format', '{{json .State}}', name]),
    ) as EngineState;
    if (state.Running) throw new Error('the container engine ended the connection to it');
    return { code: state.ExitCode, reason: this.#killReason ?? this.#endReason(state, lastLine) };
  }

  #endReason(state: EngineState, lastLine: string): string {
    if (state.Error !== '') return `can't be started: ${state.Error.slice(0, 400)}`;
    if (state.OOMKilled)
      return `took more memory than its limit allows (${(this.spec.memory ?? 0) / 1024 ** 3} Gi)`;
    return `ended (exit code ${state.ExitCode})${lastLine === '' ? '' : `: ${lastLine}`}`;
  }

  /** Probes it: it becomes ready or unready, and is ended when it is no longer alive. */
  async #probe(signal: AbortSignal): Promise<void> {
    const { startup, readiness, liveness } = this.spec.probes;
    const { name, localPort } = this.context;
    while (
      (await docker(['inspect', '--format', '{{.State.Running}}', name], { signal })) !== 'true'
    )
      await wait(50, undefined, { signal });
    if (startup !== undefined) await this.#waitUntilStarted(startup, signal);
    const setReadiness = (reason: string | undefined): void => {
      this.#ready = reason === undefined;
      this.#unreadyReason =
        reason === undefined
          ? undefined
          : `the container ${this.spec.name} is not ready: ${reason}`;
    };
    if (readiness === undefined) setReadiness(undefined);
    await Promise.all([
      readiness === undefined
        ? undefined
        : watchProbe(readiness, localPort(readiness.port), signal, setReadiness),
      liveness === undefined
        ? undefined
        : watchProbe(liveness, localPort(liveness.port), signal, (reason) => {
            if (reason !== undefined)
              void this.#kill(`did not answer its liveness probe: ${reason}`);
          }),
    ]);
  }

  /** Waits for the first successful probe; the container is ended after too many failures. */
  async #waitUntilStarted(
    startup: NonNullable<ContainerSpec['probes']['startup']>,
    signal: AbortSignal,
  ): Promise<void> {
    const started = new AbortController();
    await watchProbe(
      startup,
      this.context.localPort(startup.port),
      AbortSignal.any([signal, started.signal]),
      (reason) => {
        if (reason === undefined) started.abort();
        else void this.#kill(`did not start: ${reason}`);
      },
    ).catch(ignoreAbort);
    signal.throwIfAborted();
  }

  async #kill(reason: string): Promise<void> {
    this.#killReason = reason;
    this.#ready = false;
    await docker(['stop', '-t', String(this.context.graceSeconds), this.context.name]).catch(
      (error: unknown) =>
        this.context.writeOutput(
          `${notePrefix}the container ${this.spec.name} could not be ended: ${(error as Error).message}\n`,
        ),
    );
  }
}
