import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A probe of a container; times are milliseconds. */
export interface Probe {
  /** The port inside the container. */
  readonly port: number;
  readonly transport: 'http' | 'https' | 'tcp';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly initialDelay: number;
  readonly period: number;
  readonly timeout: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
}

/**
 * An engine's port forwarder accepts every connection, and closes it at once if nothing listens in
 * the container.
 */
const steadyMilliseconds = 150;

/**
 * Probes once.
 *
 * @param port the local port that is forwarded to the probe's port.
 * @returns undefined for success, otherwise the reason of the failure.
 */
export function runProbe(probe: Probe, port: number): Promise<string | undefined> {
  return probe.transport === 'tcp' ? askTcp(probe, port) : askHttp(probe, port);
}

/**
 * Probes until aborted; reports each time when enough consecutive probes succeeded (undefined) or
 * failed (the last reason).
 */
export async function watchProbe(
  probe: Probe,
  port: number,
  signal: AbortSignal,
  onResult: (reason: string | undefined) => void,
): Promise<void> {
  let [good, bad] = [0, 0];
  for (let pause = probe.initialDelay; ; pause = probe.period) {
    await wait(pause, undefined, { signal });
    const reason = await runProbe(probe, port);
    signal.throwIfAborted();
    if (reason === undefined) {
      bad = 0;
      if (++good === probe.successThreshold) onResult(undefined);
    } else {
      good = 0;
      if (++bad === probe.failureThreshold) onResult(reason);
    }
  }
}

function askTcp({ port: inside, timeout }: Probe, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (reason?: string): void => {
      clearTimeout(late);
      clearTimeout(steady);
      socket.destroy();
      done(reason);
    };
    let steady: NodeJS.Timeout | undefined;
    const late = setTimeout(
      () => end(`port ${inside} did not accept a connection within ${timeout / 1000} s`),
      timeout,
    );
    socket.once('connect', () => (steady = setTimeout(() => end(), steadyMilliseconds)));
    socket.once('data', () => end());
    socket.once('close', () => end(`port ${inside} accepts no connection`));
    socket.on('error', () => end(`port ${inside} accepts no connection`));
  });
}

function askHttp(
  { transport, path, headers, port: inside, timeout }: Probe,
  port: number,
): Promise<string | undefined> {
  const at = `${transport}://:${inside}${path}`;
  const options = {
    host: '127.0.0.1',
    port,
    path,
    headers,
    agent: false as const,
    signal: AbortSignal.timeout(timeout),
  };
  return new Promise((done) => {
    // as on the platform, the certificate of a container is not checked
    const request =
      transport === 'https'
        ? httpsRequest({ ...options, rejectUnauthorized: false })
        : httpRequest(options);
    request.once('response', ({ statusCode = 0 }) => {
      done(statusCode >= 200 && statusCode < 400 ? undefined : `${at} answers ${statusCode}`);
      request.destroy();
    });
    request.on('error', ({ name, message }) =>
      done(
        name === 'AbortError' || name === 'TimeoutError'
          ? `${at} did not answer within ${timeout / 1000} s`
          : `${at}: ${message}`,
      ),
    );
    request.end();
  });
}
