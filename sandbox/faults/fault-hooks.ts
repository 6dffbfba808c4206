import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../services/common/call.js';
import { RefusedRequest } from '../../services/common/service-error.js';
import type { Service } from '../../services/common/service.js';
import type { FaultKind, FaultService } from './fault.js';
import type { FaultInjector } from './injector.js';
import { playFault, drawFault } from './fault-playback.js';
import { callersOf, type FaultRequest } from './request-match.js';
import { rewriteAnswer } from './answer-faults.js';

const ofConnection: readonly FaultKind[] = ['reset', 'hang'];

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
    if (!faults.hasFaults || !isExternalRequest(request)) return;
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

/** Whether a client sent a request: those of this process to itself have no TLS. */
export function isExternalRequest({ raw, originalUrl }: FastifyRequest): boolean {
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
  const { originalUrl: url, body } = request;
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  const fault = drawFault(faults, described, `${url}\n${text}`, ofConnection);
  if (fault === undefined) return;
  if (fault.fault === 'reset' || fault.fault === 'hang') {
    reply.hijack();
    const end = (): void => void request.raw.socket.destroy();
    if (fault.fault === 'reset') end();
    else if (fault.seconds !== undefined) setTimeout(end, fault.seconds * 1000).unref();
    return;
  }
  try {
    await playFault(fault);
  } catch (error) {
    if (described.service !== 'identity-provider' || !(error instanceof RefusedRequest))
      throw error;
    const { status, message, headers = {} } = error.refusal;
    reply
      .code(status)
      .headers(headers)
      .send({ error: 'temporarily_unavailable', error_description: message });
  }
}
