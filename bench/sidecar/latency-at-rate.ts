import net from 'node:net';

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
  const idle: Connection[] = [];
  const connections = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const connection = await connect(hostname, Number(port), (milliseconds, each) => {
        // The first half second warms up the connections
        if (performance.now() - start > 500) latencies.push(milliseconds);
        if (each.waiting.length === 0) idle.push(each);
      });
      idle.push(connection);
      return connection;
    }),
  );
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) * rate) / 1000);
    for (; count < due; count++) {
      const connection = idle.shift() ?? (connections[count % connections.length] as Connection);
      connection.waiting.push(performance.now());
      connection.socket.write(request);
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  await new Promise((done) => setTimeout(done, 500));
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
  readonly waiting: number[];
}

function connect(
  host: string,
  port: number,
  onAnswer: (milliseconds: number, connection: Connection) => void,
): Promise<Connection> {
  return new Promise((done, fail) => {
    const connection: Connection = {
      socket: net.connect(port, host, () => done(connection)),
      waiting: [],
    };
    let bytes = '';
    connection.socket.setNoDelay(true).on('error', fail);
    connection.socket.on('data', (chunk: Buffer) => {
      bytes += chunk.toString('latin1');
      for (;;) {
        const head = bytes.indexOf('\r\n\r\n');
        if (head < 0) return;
        const end =
          head + 4 + Number(/content-length: (\d+)/i.exec(bytes.slice(0, head))?.[1] ?? 0);
        if (bytes.length < end) return;
        if (!bytes.startsWith('HTTP/1.1 200')) fail(new Error(bytes.slice(0, 40)));
        bytes = bytes.slice(end);
        const since = connection.waiting.shift();
        if (since !== undefined) onAnswer(performance.now() - since, connection);
      }
    });
  });
}
