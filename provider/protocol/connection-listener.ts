import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { ListeningProvider } from './listener.js';

/**
 * Listens on a unix socket for Terraform runs that reattach to a provider. Terraform opens a
 * connection for each provider block, so each is served by itself: configurations with an alias do
 * not overwrite each other. Only the user of this process can connect.
 *
 * @param load loads what serves a connection, when one is opened: gRPC and a provider are large,
 *   and many sandboxes never run Terraform.
 * @param onError called when a connection fails or could not be served; it is closed.
 */
export async function listenPerConnection(
  socketPath: string,
  load: () => Promise<(socket: Socket) => ListeningProvider>,
  onError: (error: Error) => void,
): Promise<ListeningProvider> {
  const connections = new Set<ListeningProvider>();
  let isAccepting = false;
  const serveConnection = async (socket: Socket): Promise<void> => {
    const serve = await load();
    if (!isAccepting) socket.destroy();
    if (socket.destroyed) return;
    const connection = serve(socket);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  };
  const listener = createServer((socket) => {
    socket.on('error', onError);
    // before the permissions are set, anyone may have opened it
    if (!isAccepting) return void socket.destroy();
    serveConnection(socket).catch((error: Error) => {
      socket.destroy();
      onError(error);
    });
  });
  await new Promise<void>((done, fail) => {
    listener.once('error', fail).listen(socketPath, done);
  });
  try {
    await chmod(socketPath, 0o600);
  } catch (error) {
    listener.close();
    throw error;
  }
  isAccepting = true;
  return {
    async close() {
      isAccepting = false;
      listener.close();
      await Promise.all([...connections].map((each) => each.close()));
    },
  };
}
