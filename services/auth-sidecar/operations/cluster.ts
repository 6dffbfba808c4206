import cluster, { type Worker as WorkerProcess } from 'node:cluster';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { redactedProblems } from '../config/problems.js';
import { createLog } from './log.js';
import type { MetricsSnapshot } from './metrics.js';
import type { SidecarOptions } from './options.js';
import type { Readiness } from './readiness.js';
import type { SessionsAnswer, SessionsRequest } from './administer-sessions.js';
import { type SharedWorkerOptions, startWorker, type Worker } from './worker.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** Messages of the primary to a worker. */
type WorkerCommand =
  | {
      readonly type: 'start';
      readonly options: SidecarOptions;
      readonly shared: SharedWorkerOptions;
    }
  | { readonly type: 'reload' }
  | {
      readonly type: 'report';
      /** By which the worker's answer is recognized. */
      readonly id: number;
      readonly kind: keyof WorkerReports;
      /** For `sessions`. */
      readonly request?: SessionsRequest;
    }
  | { readonly type: 'stop' };

/** Messages of a worker to the primary. */
type WorkerMessage =
  /** The process runs, and waits for `start`. */
  | { readonly type: 'hello' }
  /** With the URL of the public port. */
  | { readonly type: 'listening'; readonly url: string }
  /** It could not start, and ends: code and message of the error. */
  | { readonly type: 'failed'; readonly code: string; readonly message: string }
  | {
      readonly type: 'report';
      /** That of the command. */
      readonly id: number;
      readonly answer: WorkerReports[keyof WorkerReports];
    };

/** The report of a worker, by the type of request. */
export interface WorkerReports {
  readonly snapshot: MetricsSnapshot;
  readonly readiness: Readiness;
  readonly sessions: SessionsAnswer;
}

/** How long the report of a worker may take. */
const reportTimeoutMs = 4000;
/** The pause before a worker that has ended is replaced. */
const replacementDelayMs = 500;

/** Worker processes that share one port. */
export interface WorkerCluster {
  /** URL of the public port, which all workers share. */
  readonly url: string;
  /** Reloads the configuration files in every worker. */
  reload(): void;
  /** The answers of the workers that answer in time. */
  reports<Kind extends 'snapshot' | 'readiness'>(
    kind: Kind,
  ): Promise<readonly WorkerReports[Kind][]>;
  /** The answer of one worker. */
  administerSessions(request: SessionsRequest): Promise<SessionsAnswer>;
  /** Waits until every worker has ended. */
  stop(): Promise<void>;
}

/**
 * Forks the workers and waits until all listen; a worker that ends is replaced. @throws the error
 * with which a worker could not start
 */
export async function startCluster(
  options: SidecarOptions,
  shared: SharedWorkerOptions,
): Promise<WorkerCluster> {
  let isStopping = false;
  let hasStarted = false;
  let reportId = 0;
  const pendingReports = new Map<number, (answer: WorkerReports[keyof WorkerReports]) => void>();
  const fork = (index: number): Promise<string> => {
    const workerProcess = cluster.fork();
    return new Promise((resolve, reject) => {
      workerProcess.on('message', (message: WorkerMessage) => {
        if (message.type === 'hello')
          sendToWorker(workerProcess, {
            type: 'start',
            options,
            shared: { ...shared, worker: index, isReplacement: hasStarted },
          });
        else if (message.type === 'listening') resolve(message.url);
        else if (message.type === 'failed')
          reject(new CastellanError(message.code as ErrorCode, message.message));
        else pendingReports.get(message.id)?.(message.answer);
      });
      workerProcess.once('exit', () => {
        reject(new CastellanError('CAS6006', 'a worker ended before it was ready'));
        // The connections of a crashed worker are lost; the other workers continue. A replacement
        // that can't start logs why, ends, and is replaced in turn.
        if (!isStopping)
          setTimeout(
            () => void (isStopping ? undefined : fork(index).catch(() => undefined)),
            replacementDelayMs,
          );
      });
    });
  };
  const connectedWorkers = (): WorkerProcess[] =>
    Object.values(cluster.workers ?? {}).filter(
      (each): each is WorkerProcess => each !== undefined && each.isConnected(),
    );
  let url: string;
  try {
    url = (
      await Promise.all(Array.from({ length: options.workers }, (_, index) => fork(index + 1)))
    )[0] as string;
  } catch (error) {
    isStopping = true;
    for (const each of connectedWorkers()) sendToWorker(each, { type: 'stop' });
    throw error;
  }
  hasStarted = true;
  const requestReport = <Kind extends keyof WorkerReports>(
    workerProcess: WorkerProcess,
    kind: Kind,
    request?: SessionsRequest,
  ): Promise<WorkerReports[Kind] | undefined> =>
    new Promise((resolve) => {
      const id = ++reportId;
      const finish = (answer: WorkerReports[keyof WorkerReports] | undefined): void => {
        clearTimeout(deadline);
        pendingReports.delete(id);
        resolve(answer as WorkerReports[Kind] | undefined);
      };
      const deadline = setTimeout(() => finish(undefined), reportTimeoutMs);
      pendingReports.set(id, finish);
      sendToWorker(workerProcess, { type: 'report', id, kind, ...omitUndefined({ request }) });
    });
  return {
    url,
    reload: () => connectedWorkers().forEach((each) => sendToWorker(each, { type: 'reload' })),
    reports: async (kind) =>
      (await Promise.all(connectedWorkers().map((each) => requestReport(each, kind)))).filter(
        (each) => each !== undefined,
      ),
    administerSessions: async (request) => {
      for (const each of connectedWorkers()) {
        const answer = await requestReport(each, 'sessions', request);
        if (answer !== undefined) return answer;
      }
      return { status: 503, body: { code: 503, error: 'unavailable' } };
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(
        connectedWorkers().map((each) => {
          const exit = new Promise<void>((resolve) => each.once('exit', () => resolve()));
          sendToWorker(each, { type: 'stop' });
          return exit;
        }),
      );
    },
  };
}

function sendToWorker(workerProcess: WorkerProcess, command: WorkerCommand): void {
  // without a callback, a worker that has just ended would end this process by EPIPE
  if (workerProcess.isConnected()) workerProcess.send(command, () => undefined);
}

function workerReport(
  worker: Worker | undefined,
  { kind, request }: Extract<WorkerCommand, { type: 'report' }>,
): Promise<WorkerReports[keyof WorkerReports]> | undefined {
  if (kind !== 'sessions') return worker?.[kind]();
  return request === undefined ? undefined : worker?.administerSessions(request);
}

/**
 * Runs a worker process: follows the commands of the primary, and ends when the primary has ended.
 */
export function serveAsWorker(): Promise<void> {
  const sendToPrimary = (message: WorkerMessage, onSent?: () => void): void =>
    void process.send?.(message, undefined, undefined, onSent);
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
        sendToPrimary({ type: 'listening', url: worker.url });
      } catch (error) {
        const { code = 'CAS8999', message } = error as { code?: string; message: string };
        if (shared.isReplacement === true) {
          const log = createLog(options.logLevel, shared.worker);
          const problems = redactedProblems(error);
          log.error('a worker could not start, another one will try', { code, problems });
          await log.end();
        }
        sendToPrimary({ type: 'failed', code, message }, () => void stop());
      }
    };
    process.on('message', (command: WorkerCommand) => {
      if (command.type === 'start') void start(command);
      else if (command.type === 'reload') worker?.reload();
      else if (command.type === 'stop') void stop();
      else
        void workerReport(worker, command)?.then((answer) =>
          sendToPrimary({ type: 'report', id: command.id, answer }),
        );
    });
    process.once('disconnect', () => void stop());
    // The primary sends these as commands; a terminal sends them to every process of its group.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => undefined);
    sendToPrimary({ type: 'hello' });
  });
}
