import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends the error that an object doesn't exist. */
export function sendNotFound(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(404).send({ error: { code: 'NotFound', message } });
}

/** A response of server-sent events (HTML standard, section 9.2). */
export interface ServerSentEvents {
  /** Sends an event of this name, with its data as JSON. */
  send(event: string, data: unknown): void;
  /** Sends a comment, so that no proxy closes the connection for being idle. */
  keepAlive(): void;
  /** Calls back when the page has closed the connection. */
  onClose(listener: () => void): void;
}

/** Starts to answer a request with events. */
export function startServerSentEvents(
  request: FastifyRequest,
  reply: FastifyReply,
): ServerSentEvents {
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  return {
    send: (event, data) =>
      void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    keepAlive: () => void response.write(': alive\n\n'),
    onClose: (listener) => void request.raw.once('close', listener),
  };
}
