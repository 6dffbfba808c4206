import type { FastifyReply, FastifyRequest } from 'fastify';

/** Says that something doesn't exist. */
export function notFound(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(404).send({ error: { code: 'NotFound', message } });
}

/** An answer that goes on: server-sent events (HTML standard, section 9.2). */
export interface ServerSentEvents {
  send(event: string, data: unknown): void;
  /** Says nothing, so that what is between does not close the connection. */
  keepAlive(): void;
  /** Calls back when the page is gone. */
  onClose(stop: () => void): void;
}

/** Answers a request with events. */
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
    onClose: (stop) => void request.raw.once('close', stop),
  };
}
