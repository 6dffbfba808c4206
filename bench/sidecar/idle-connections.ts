import net from 'node:net';

/**
 * Opens connections that carry one request each and then stay idle.
 *
 * @returns a function that closes them
 */
export async function openIdleConnections(url: string, count: number): Promise<() => void> {
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
