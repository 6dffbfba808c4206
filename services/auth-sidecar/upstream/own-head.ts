import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';

/** Where Node keeps whether a response's head was written. */
interface Insides {
  _header: string;
  _headerSent: boolean;
}

/**
 * Marks a response whose head is written to the socket separately. Node would take the app's headers, which were checked here already,
 * apart, check and join them once more: a quarter of all the time that a request takes. The response still does everything else: the end,
 * the keep-alive clock, the next request on the connection. Only to be used where {@link canTakeHead} says so.
 */
export function takeHead(response: ServerResponse, head: string): void {
  const insides = response as unknown as Insides;
  insides._header = head;
  insides._headerSent = true;
}

let works: boolean | undefined;

/** Whether this version of Node has the insides that {@link takeHead} needs: tried out once. Otherwise heads are written Node's way. */
export function canTakeHead(): boolean {
  return (works ??= tryOut(ServerResponse));
}

/** Whether responses of this class end as they should without writing a head of their own. */
export function tryOut(Response: new (inbound: IncomingMessage) => ServerResponse): boolean {
  const chunks: string[] = [];
  const socket = new Writable({
    write: (chunk, _, callback) => {
      chunks.push(String(chunk));
      callback();
    },
  });
  try {
    const response = new Response({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as IncomingMessage);
    response.assignSocket(socket as Socket);
    takeHead(response, 'never written');
    socket.write('as it is');
    response.end();
    // Whether it is finished is known at once in some versions, and only a moment later in others.
    return response.headersSent && response.writableEnded && response.writableLength === 0 && chunks.join('') === 'as it is';
  } catch {
    return false; // other insides: a version to come
  }
}
