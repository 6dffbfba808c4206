import { execFile } from 'node:child_process';
import net from 'node:net';
import { promisify } from 'node:util';
import { loadCore } from './peers.js';

/** What a closed-loop run measured. */
export interface Throughput {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: string;
  readonly p99: string;
  readonly failures: number;
}

/** Runs wrk for some seconds over 64 connections. */
export async function wrk(url: string, cookie: string, seconds: number): Promise<Throughput> {
  const headers = cookie === '' ? [] : ['-H', `Cookie: ${cookie}`];
  const { stdout } = await promisify(execFile)('taskset', [
    '-c',
    loadCore,
    'wrk',
    '-t1',
    '-c64',
    `-d${seconds}s`,
    '--latency',
    ...headers,
    url,
  ]);
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    requests: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: /50%\s+(\S+)/.exec(stdout)?.[1] ?? '?',
    p99: /99%\s+(\S+)/.exec(stdout)?.[1] ?? '?',
    failures: number(/Non-2xx or 3xx responses: (\d+)/),
  };
}

/** Latency at a fixed rate: requests are sent when they are due, whether or not earlier ones were answered. @returns p99 in milliseconds */
export async function p99AtRate(url: string, cookie: string, rate: number, seconds: number): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  const request = Buffer.from(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${cookie === '' ? '' : `Cookie: ${cookie}\r\n`}\r\n`,
  );
  const latencies: number[] = [];
  const connections = await Promise.all(Array.from({ length: 64 }, () => connect(hostname, Number(port), latencies)));
  const start = performance.now();
  let sent = 0;
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) * rate) / 1000);
    for (; sent < due; sent++) {
      const connection = connections[sent % connections.length];
      connection?.waiting.push(start + (sent * 1000) / rate);
      connection?.socket.write(request);
    }
    await new Promise((done) => setImmediate(done));
  }
  await new Promise((done) => setTimeout(done, 500));
  connections.forEach(({ socket }) => socket.destroy());
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)] ?? NaN;
}

interface Connection {
  readonly socket: net.Socket;
  readonly waiting: number[];
}

function connect(host: string, port: number, latencies: number[]): Promise<Connection> {
  return new Promise((done, fail) => {
    const waiting: number[] = [];
    const socket = net.connect(port, host, () => done({ socket, waiting }));
    let bytes = '';
    socket.setNoDelay(true).on('error', fail);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.toString('latin1');
      for (;;) {
        const head = bytes.indexOf('\r\n\r\n');
        if (head < 0) return;
        const end = head + 4 + Number(/content-length: (\d+)/i.exec(bytes.slice(0, head))?.[1] ?? 0);
        if (bytes.length < end) return;
        bytes = bytes.slice(end);
        const due = waiting.shift();
        if (due !== undefined) latencies.push(performance.now() - due);
      }
    });
  });
}

/** Opens connections that do nothing. */
export async function idleConnections(url: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const sockets: net.Socket[] = [];
  const request = `GET /.auth/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
  for (let index = 0; index < count; index++) {
    const socket = net.connect(Number(port), hostname);
    sockets.push(socket);
    await new Promise<void>((done, fail) =>
      socket
        .once('connect', () => socket.write(request))
        .once('data', () => done())
        .once('error', fail),
    );
  }
  return () => sockets.forEach((socket) => socket.destroy());
}
