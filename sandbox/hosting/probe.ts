import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A probe of a container (Kubernetes' probes, as the platform has them). */
export interface Probe {
  /** The port inside the container. */
  readonly port: number;
  /** `tcp` only connects, without path and headers. */
  readonly transport: 'http' | 'https' | 'tcp';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
}

/**
 * How long a connection must stay open to count: the engine's port forwarder accepts every
 * connection, and closes it at once if nothing listens in the container.
 */
const minOpenMs = 150;

/**
 * Probes once.
 *
 * @param port the local port that is forwarded to the probe's port.
 * @param signal ends the probe as a failure.
 * @returns undefined for success, otherwise the reason of the failure.
 */
export function runProbe(
  probe: Probe,
  port: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  return probe.transport === 'tcp' ? probeTcp(probe, port, signal) : probeHttp(probe, port, signal);
}

/**
 * Probes until aborted, which also ends a running probe; reports each time when enough consecutive
 * probes succeeded (undefined) or failed (the last reason).
 *
 * @returns never; rejects when aborted.
 */
export async function watchProbe(
  probe: Probe,
  port: number,
  signal: AbortSignal,
  onResult: (reason: string | undefined) => void,
): Promise<void> {
  let [successes, failures] = [0, 0];
  for (let pause = probe.initialDelayMs; ; pause = probe.periodMs) {
    await wait(pause, undefined, { signal });
    const reason = await runProbe(probe, port, signal);
    signal.throwIfAborted();
    if (reason === undefined) {
      failures = 0;
      if (++successes === probe.successThreshold) onResult(undefined);
    } else {
      successes = 0;
      if (++failures === probe.failureThreshold) onResult(reason);
    }
  }
}

function probeTcp(
  { port: containerPort, timeoutMs }: Probe,
  port: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (reason?: string): void => {
      clearTimeout(failLater);
      clearTimeout(succeedLater);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      done(reason);
    };
    const onAbort = (): void => end('the probe was ended');
    let succeedLater: NodeJS.Timeout | undefined;
    const failLater = setTimeout(
      () => end(`port ${containerPort} did not accept a connection within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => {
      clearTimeout(failLater);
      succeedLater = setTimeout(() => end(), minOpenMs);
    });
    socket.once('data', () => end());
    socket.once('close', () => end(`port ${containerPort} accepts no connection`));
    socket.on('error', () => end(`port ${containerPort} accepts no connection`));
  });
}

function probeHttp(
  { transport, path, headers, port: containerPort, timeoutMs }: Probe,
  port: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const shownUrl = `${transport}://:${containerPort}${path}`;
  const options = {
    host: '127.0.0.1',
    port,
    path,
    headers,
    agent: false as const,
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]),
  };
  const result = new Promise<string | undefined>((done) => {
    // as on the platform, the certificate of a container is not checked
    const request =
      transport === 'https'
        ? httpsRequest({ ...options, rejectUnauthorized: false })
        : httpRequest(options);
    request.once('response', ({ statusCode = 0 }) => {
      done(statusCode >= 200 && statusCode < 400 ? undefined : `${shownUrl} answers ${statusCode}`);
      request.destroy();
    });
    request.on('error', ({ name, message }) =>
      done(
        name === 'AbortError' || name === 'TimeoutError'
          ? `${shownUrl} did not answer within ${timeoutMs / 1000} s`
          : `${shownUrl}: ${message}`,
      ),
    );
    request.end();
  });
  // a path or header that HTTP cannot send makes the request throw
  return result.catch((error: unknown) => `${shownUrl}: ${(error as Error).message}`);
}
