import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turnTime } from '../operations/turn.js';
import { plainAddress } from './origin.js';

/** The keep-alive time for clients, in seconds. */
export const keepAliveSeconds = 65;

/** Headers that announce the keep-alive time after an answer whose head Node writes. */
export function keepAliveHint(outbound: ServerResponse): string[] {
  return outbound.shouldKeepAlive && !outbound.hasHeader('connection')
    ? ['Keep-Alive', `timeout=${keepAliveSeconds}`]
    : [];
}

/** A client's connection. */
export interface Client {
  /** Its address; an IPv4 address in its own form. */
  readonly address: string;
  /** The number of unanswered requests. */
  requests: number;
  /** The time since there is none, in milliseconds since 1970. */
  idleSince: number;
  /** The received bytes at the last check. */
  received: number;
}

const interval = 2000;

/**
 * Closes idle connections of clients. One timer checks all of them at intervals: Node would reset
 * two timers for each request.
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

  /** A request arrived. @returns the argument of {@link end} */
  begin(socket: Socket): Client {
    let client = this.clients.get(socket);
    if (client === undefined) {
      client = {
        address: plainAddress(socket.remoteAddress ?? ''),
        requests: 0,
        idleSince: 0,
        received: 0,
      };
      this.clients.set(socket, client);
    }
    client.requests++;
    return client;
  }

  /** A request's answer has ended. */
  end(client: Client): void {
    if (--client.requests === 0) client.idleSince = turnTime();
  }

  /** The connection changes to another protocol, which has its own timer. */
  forget(socket: Socket): void {
    this.clients.delete(socket);
  }

  private tidy(now: number): void {
    for (const [socket, client] of this.clients) {
      if (socket.destroyed) this.clients.delete(socket);
      else if (client.requests > 0) continue;
      else if (client.received !== socket.bytesRead) {
        // The beginning of a request, whose head has a clock at the parser, or the last one, seen
        // for the first time.
        client.received = socket.bytesRead;
        client.idleSince = Math.max(client.idleSince, now - interval);
      } else if (now - client.idleSince >= this.patience) socket.destroy();
    }
  }
}
