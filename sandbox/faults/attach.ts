import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../services/common/call.js';
import { RefusedRequest } from '../../services/common/service-error.js';
import type { Service } from '../../services/common/service.js';
import type { FaultService } from './fault.js';
import type { FaultInjector } from './injector.js';
import { callersOf, type FaultRequest } from './request-match.js';
import { rewriteAnswer } from './rewrite-answer.js';

/**
 * Lets the faults strike the requests of a server; called before its services are mounted. What the
 * sandbox asks of itself, and the requests of its owner, are spared.
 */
export function attachFaults(
  app: FastifyInstance,
  faults: FaultInjector,
  services: readonly Service[],
): void {
  const seen = new WeakMap<FastifyRequest, FaultRequest>();
  app.addHook('preHandler', async (request, reply) => {
    if (!faults.isOn || !isFromOutside(request)) return;
    const described = describe(request, services);
    if (described === undefined) return;
    seen.set(request, described);
    await strike(faults, request, reply, described);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const described = seen.get(request);
    if (described === undefined || typeof payload !== 'string') return done(null, payload);
    done(null, rewriteAnswer(faults, described, reply.statusCode, payload));
  });
}

/** Requests of this process to itself have no TLS. */
function isFromOutside({ raw, originalUrl }: FastifyRequest): boolean {
  return raw.socket instanceof TLSSocket && !originalUrl.startsWith('/_castellan');
}

function describe(request: FastifyRequest, services: readonly Service[]): FaultRequest | undefined {
  const path = pathOf(request.originalUrl);
  for (const { prefixes, description } of services) {
    const prefix = prefixes.find((each) => path === each || path.startsWith(`${each}/`));
    if (prefix === undefined || description === undefined) continue;
    return {
      service: description.name as FaultService,
      method: request.method,
      path: path.slice(prefix.length) || '/',
      callers: callersOf(request.headers.authorization),
    };
  }
  if (!/\/(oauth2|discovery|\.well-known|openid|msi)\b/.test(path)) return undefined;
  const form = request.body as { client_id?: unknown } | null | undefined;
  const client = typeof form?.client_id === 'string' ? [form.client_id.toLowerCase()] : [];
  return { service: 'identity-provider', method: request.method, path, callers: client };
}

async function strike(
  faults: FaultInjector,
  request: FastifyRequest,
  reply: FastifyReply,
  described: FaultRequest,
): Promise<void> {
  const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const address = `${request.originalUrl}\n${body}`;
  const fault = faults.draw(
    ['throttled', 'unavailable', 'slow', 'reset', 'hang', 'notYetFound'],
    described,
    ({ fault: kind, seconds = 5 }) =>
      kind !== 'notYetFound' || faults.young(seconds).some((name) => address.includes(name)),
  );
  const retry = { 'retry-after': String(fault?.retryAfter ?? 1) };
  switch (fault?.fault) {
    case 'throttled':
      return refuse(reply, described, 'throttled', 429, 'Too many requests.', retry);
    case 'unavailable':
      return refuse(reply, described, 'unavailable', 503, 'The service is unavailable.', retry);
    case 'slow':
      await wait((fault.seconds ?? 5) * 1000);
      return;
    case 'reset':
      reply.hijack();
      request.raw.socket.destroy();
      return;
    case 'hang':
      reply.hijack();
      if (fault.seconds !== undefined)
        setTimeout(() => request.raw.socket.destroy(), fault.seconds * 1000).unref();
      return;
    case 'notYetFound': {
      const id = faults.young(fault.seconds ?? 5).find((name) => address.includes(name)) ?? '';
      const message = `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`;
      return refuse(reply, described, 'notFound', 404, message);
    }
  }
}

/** Refuses a request in the shape of its service. */
function refuse(
  reply: FastifyReply,
  { service }: FaultRequest,
  kind: 'throttled' | 'unavailable' | 'notFound',
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (service !== 'identity-provider') throw new RefusedRequest({ kind, status, message, headers });
  reply
    .code(status)
    .headers(headers)
    .send({ error: 'temporarily_unavailable', error_description: message });
}
