import cluster, { type Worker as Process } from 'node:cluster';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import type { MetricsSnapshot } from './metrics.js';
import type { SidecarOptions } from './options.js';
import type { Readiness } from './readiness.js';
import type { SessionsAnswer, SessionsRequest } from './sessions.js';
import { type Shared, startWorker, type Worker } from './worker.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** Messages of the primary to a worker. */
type WorkerCommand =
  | { readonly type: 'start'; readonly options: SidecarOptions; readonly shared: Shared }
  | { readonly type: 'reload' }
  | {
      readonly type: 'report';
      readonly id: number;
      readonly of: keyof WorkerReports;
      /** For `sessions`. */
      readonly request?: SessionsRequest;
    }
  | { readonly type: 'stop' };

/** Messages of a worker to the primary. */
type WorkerMessage =
  | { readonly type: 'hello' }
  | { readonly type: 'listening'; readonly listening: string }
  | { readonly type: 'failed'; readonly code: string; readonly message: string }
  | {
      readonly type: 'report';
      readonly id: number;
      readonly answer: WorkerReports[keyof WorkerReports];
    };

/** The report of a worker, by the type of request. */
export interface WorkerReports {
  readonly snapshot: MetricsSnapshot;
  readonly readiness: Readiness;
  readonly sessions: SessionsAnswer;
}

/** Worker processes that share one port. */
export interface WorkerCluster {
  readonly listening: string;
  reload(): void;
  /** The answers of the workers that answer in time. */
  reports<Of extends 'snapshot' | 'readiness'>(of: Of): Promise<readonly WorkerReports[Of][]>;
  /** The answer of one worker. */
  ask(request: SessionsRequest): Promise<SessionsAnswer>;
  stop(): Promise<void>;
}

/**
 * Forks the workers and waits until all listen; a worker that ends is replaced. @throws the error
 * with which a worker could not start
 */
export async function startCluster(
  options: SidecarOptions,
  shared: Shared,
): Promise<WorkerCluster> {
  let stopping = false;
  let reportId = 0;
  const waiting = new Map<number, (answer: WorkerReports[keyof WorkerReports]) => void>();
  const fork = (index: number): Promise<string> => {
    const process = cluster.fork();
    return new Promise((resolve, reject) => {
      process.on('message', (news: WorkerMessage) => {
        if (news.type === 'hello')
          send(process, { type: 'start', options, shared: { ...shared, worker: index } });
        else if (news.type === 'listening') resolve(news.listening);
        else if (news.type === 'failed')
          reject(new CastellanError(news.code as ErrorCode, news.message));
        else waiting.get(news.id)?.(news.answer);
      });
      process.once('exit', () => {
        reject(new CastellanError('CAS6006', 'a worker ended before it was ready'));
        // The connections of a crashed worker are lost; the others continue, and it is replaced
        // after a short pause.
        if (!stopping)
          setTimeout(() => void (stopping ? undefined : fork(index).catch(() => undefined)), 500);
      });
    });
  };
  const living = (): Process[] =>
    Object.values(cluster.workers ?? {}).filter(
      (each): each is Process => each !== undefined && each.isConnected(),
    );
  let listening: string;
  try {
    listening = (
      await Promise.all(Array.from({ length: options.workers }, (_, index) => fork(index + 1)))
    )[0] as string;
  } catch (error) {
    stopping = true;
    for (const each of living()) each.kill();
    throw error;
  }
  const report = <Of extends keyof WorkerReports>(
    process: Process,
    of: Of,
    request?: SessionsRequest,
  ): Promise<WorkerReports[Of] | undefined> =>
    new Promise((resolve) => {
      const id = ++reportId;
      const finish = (answer: WorkerReports[keyof WorkerReports] | undefined): void => {
        clearTimeout(late);
        waiting.delete(id);
        resolve(answer as WorkerReports[Of] | undefined);
      };
      const late = setTimeout(() => finish(undefined), 4000);
      waiting.set(id, finish);
      send(process, { type: 'report', id, of, ...omitUndefined({ request }) });
    });
  return {
    listening,
    reload: () => living().forEach((each) => send(each, { type: 'reload' })),
    reports: async (of) =>
      (await Promise.all(living().map((each) => report(each, of)))).filter(
        (each) => each !== undefined,
      ),
    ask: async (request) => {
      for (const each of living()) {
        const answer = await report(each, 'sessions', request);
        if (answer !== undefined) return answer;
      }
      return { status: 503, body: { code: 503, error: 'unavailable' } };
    },
    stop: async () => {
      stopping = true;
      await Promise.all(
        living().map((each) => {
          const exit = new Promise<void>((resolve) => each.once('exit', () => resolve()));
          send(each, { type: 'stop' });
          return exit;
        }),
      );
    },
  };
}

function send(process: Process, order: WorkerCommand): void {
  if (process.isConnected()) process.send(order);
}

function answerOf(
  worker: Worker | undefined,
  { of, request }: Extract<WorkerCommand, { type: 'report' }>,
): Promise<WorkerReports[keyof WorkerReports]> | undefined {
  if (of !== 'sessions') return worker?.[of]();
  return request === undefined ? undefined : worker?.sessions(request);
}

/**
 * Runs a worker process: follows the orders of the primary, and ends when the primary has ended.
 */
export function serveAsWorker(): Promise<void> {
  const send = (news: WorkerMessage): void => void process.send?.(news);
  return new Promise((end) => {
    let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
    const stop = async (): Promise<void> => {
      await worker?.stop();
      end();
      process.disconnect?.();
    };
    const start = async ({
      options,
      shared,
    }: Extract<WorkerCommand, { type: 'start' }>): Promise<void> => {
      try {
        worker = await startWorker(options, shared);
        send({ type: 'listening', listening: worker.listening });
      } catch (error) {
        const { code = 'CAS8999', message } = error as { code?: string; message: string };
        send({ type: 'failed', code, message });
      }
    };
    process.on('message', (order: WorkerCommand) => {
      if (order.type === 'start') void start(order);
      else if (order.type === 'reload') worker?.reload();
      else if (order.type === 'stop') void stop();
      else
        void answerOf(worker, order)?.then((answer) =>
          send({ type: 'report', id: order.id, answer }),
        );
    });
    process.once('disconnect', () => void stop());
    // The primary sends these as commands; a terminal sends them to every process of its group.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => undefined);
    send({ type: 'hello' });
  });
}
