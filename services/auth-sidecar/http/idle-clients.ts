import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turnTime } from '../operations/turn.js';
import { plainAddress } from './origin.js';

/** How long a connection is kept for the next request, in seconds, as clients are informed. */
export const keepAliveSeconds = 65;

/** Headers that tell a client how long its connection is kept after an answer that Node writes the head of. */
export function keepAliveHint(outbound: ServerResponse): string[] {
  return outbound.shouldKeepAlive && !outbound.hasHeader('connection') ? ['Keep-Alive', `timeout=${keepAliveSeconds}`] : [];
}

/** A client's connection that a request came on. */
export interface Client {
  /** Its address; an IPv4 address in its own form. */
  readonly address: string;
  /** How many requests wait for the end of their answer. */
  requests: number;
  /** Since when there is none, in milliseconds since 1970. */
  idleSince: number;
  /** How much had come when it was last looked at, in bytes. */
  received: number;
}

const interval = 2000;

/**
 * Ends clients' connections on which nothing came for a while. One clock looks at all of them now and then: Node would set two timers again
 * with each request.
 */
export class IdleClients {
  private readonly clients = new Map<Socket, Client>();

  /** @param patience how long a connection may be idle, in milliseconds */
  constructor(
    server: Server,
    private readonly patience: number,
  ) {
    const clock = setInterval(() => this.tidy(turnTime()), interval).unref();
    server.once('close', () => clearInterval(clock));
  }

  /** A request came. @returns the argument of {@link end} */
  begin(socket: Socket): Client {
    let client = this.clients.get(socket);
    if (client === undefined) {
      client = { address: plainAddress(socket.remoteAddress ?? ''), requests: 0, idleSince: 0, received: 0 };
      this.clients.set(socket, client);
    }
    client.requests++;
    return client;
  }

  /** A request's answer has ended. */
  end(client: Client): void {
    if (--client.requests === 0) client.idleSince = turnTime();
  }

  /** The connection goes over to another protocol, with a clock of its own. */
  forget(socket: Socket): void {
    this.clients.delete(socket);
  }

  private tidy(now: number): void {
    for (const [socket, client] of this.clients) {
      if (socket.destroyed) this.clients.delete(socket);
      else if (client.requests > 0) continue;
      else if (client.received !== socket.bytesRead) {
        // The beginning of a request, whose head has a clock at the parser, or the last one, seen for the first time.
        client.received = socket.bytesRead;
        client.idleSince = Math.max(client.idleSince, now - interval);
      } else if (now - client.idleSince >= this.patience) socket.destroy();
    }
  }
}
