import net, { type AddressInfo } from 'node:net';

/** A port of this machine that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Waits until something listens on a port. @throws when nothing does within 10 s */
export async function waitUntilReachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = net.connect(port, '127.0.0.1', () => done(true));
      socket.on('error', () => done(false)).on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`nothing listens on ${port}`);
}
