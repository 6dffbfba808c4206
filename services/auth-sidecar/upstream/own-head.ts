import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';

/** Where Node stores whether a response's head was written. */
interface Insides {
  _header: string;
  _headerSent: boolean;
}

/**
 * Marks a response whose head is written directly to the socket. Node would parse, check and join
 * the app's headers, which were checked here already, once more: a quarter of the time of a
 * request. The response still does everything else: the end, the keep-alive timer, the next request
 * on the connection. Only to be used if {@link canTakeHead} returns true.
 */
export function takeHead(response: ServerResponse, head: string): void {
  const insides = response as unknown as Insides;
  insides._header = head;
  insides._headerSent = true;
}

let works: boolean | undefined;

/**
 * Whether this version of Node has the internals that {@link takeHead} needs; tested once.
 * Otherwise Node writes the heads.
 */
export function canTakeHead(): boolean {
  return (works ??= tryOut(ServerResponse));
}

/** Whether responses of this class end correctly without writing their own head. */
export function tryOut(Response: new (inbound: IncomingMessage) => ServerResponse): boolean {
  const chunks: string[] = [];
  const socket = new Writable({
    write: (chunk, _, callback) => {
      chunks.push(String(chunk));
      callback();
    },
  });
  try {
    const response = new Response({
      method: 'GET',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
    } as IncomingMessage);
    response.assignSocket(socket as Socket);
    takeHead(response, 'never written');
    socket.write('as it is');
    response.end();
    // Some versions know at once whether it is finished, others a moment later.
    return (
      response.headersSent &&
      response.writableEnded &&
      response.writableLength === 0 &&
      chunks.join('') === 'as it is'
    );
  } catch {
    return false; // other internals: a future version
  }
}
