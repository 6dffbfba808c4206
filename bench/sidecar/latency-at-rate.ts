import net from 'node:net';

const connectionCount = 64;
/** How long answers are not counted, while the connections warm up. */
const warmUpMs = 500;
/** How long the last answers are waited for. */
const lastAnswersMs = 500;

/** Latencies of one run, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Latency at a fixed rate: requests are sent when they are due, whether or not earlier ones were
 * answered, each on an idle connection if there is one.
 *
 * @returns p50 and p99 in milliseconds, from the moment of sending
 */
export async function latencyAtRate(
  url: string,
  cookie: string,
  rate: number,
  seconds: number,
): Promise<Latency> {
  const { hostname, port, pathname } = new URL(url);
  const request = Buffer.from(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${cookie === '' ? '' : `Cookie: ${cookie}\r\n`}\r\n`,
  );
  const latencies: number[] = [];
  const idleConnections: Connection[] = [];
  const connections = await Promise.all(
    Array.from({ length: connectionCount }, async () => {
      const connection = await connect(hostname, Number(port), (milliseconds, connection) => {
        if (performance.now() - start > warmUpMs) latencies.push(milliseconds);
        if (connection.sentTimes.length === 0) idleConnections.push(connection);
      });
      idleConnections.push(connection);
      return connection;
    }),
  );
  const start = performance.now();
  let sentCount = 0;
  while (performance.now() - start < seconds * 1000) {
    const dueCount = Math.floor(((performance.now() - start) * rate) / 1000);
    for (; sentCount < dueCount; sentCount++) {
      const connection =
        idleConnections.shift() ?? (connections[sentCount % connections.length] as Connection);
      connection.sentTimes.push(performance.now());
      connection.socket.write(request);
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  await new Promise((done) => setTimeout(done, lastAnswersMs));
  connections.forEach(({ socket }) => socket.destroy());
  if (latencies.length < rate * (seconds - 1) * 0.95)
    throw new Error(`${url}: ${latencies.length} answers only`);
  latencies.sort((a, b) => a - b);
  const quantile = (share: number): number =>
    latencies[Math.floor(latencies.length * share)] ?? NaN;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

interface Connection {
  readonly socket: net.Socket;
  /** When each request without an answer was sent, by `performance.now()`, the oldest first. */
  readonly sentTimes: number[];
}

function connect(
  host: string,
  port: number,
  onAnswer: (milliseconds: number, connection: Connection) => void,
): Promise<Connection> {
  return new Promise((done, fail) => {
    const connection: Connection = {
      socket: net.connect(port, host, () => done(connection)),
      sentTimes: [],
    };
    let received = '';
    connection.socket.setNoDelay(true).on('error', fail);
    connection.socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      for (;;) {
        const headLength = received.indexOf('\r\n\r\n');
        if (headLength < 0) return;
        const end =
          headLength +
          4 +
          Number(/content-length: (\d+)/i.exec(received.slice(0, headLength))?.[1] ?? 0);
        if (received.length < end) return;
        if (!received.startsWith('HTTP/1.1 200')) fail(new Error(received.slice(0, 40)));
        received = received.slice(end);
        const sentAt = connection.sentTimes.shift();
        if (sentAt !== undefined) onAnswer(performance.now() - sentAt, connection);
      }
    });
  });
}
