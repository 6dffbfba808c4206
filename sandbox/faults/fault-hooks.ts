import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../services/common/call.js';
import { RefusedRequest } from '../../services/common/service-error.js';
import type { Service } from '../../services/common/service.js';
import type { FaultKind, FaultService } from './fault.js';
import type { FaultInjector } from './injector.js';
import { injectFault, drawRequestFault } from './request-faults.js';
import { callerIdentifiers, type FaultRequest } from './request-match.js';
import { rewriteResponse } from './response-faults.js';

const connectionFaults: readonly FaultKind[] = ['reset', 'hang'];

/**
 * Injects the faults into the requests of a server; called before its services are mounted. Requests of
 * the sandbox to itself, and those of its owner, meet none.
 */
export function attachFaults(
  app: FastifyInstance,
  faults: FaultInjector,
  services: readonly Service[],
): void {
  const faultRequests = new WeakMap<FastifyRequest, FaultRequest>();
  app.addHook('preHandler', async (request, reply) => {
    if (!faults.hasFaults || isFromSandboxOrOwner(request)) return;
    const faultRequest = toFaultRequest(request, services);
    if (faultRequest === undefined) return;
    faultRequests.set(request, faultRequest);
    await injectDrawnFault(faults, request, reply, faultRequest);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const faultRequest = faultRequests.get(request);
    if (faultRequest === undefined || typeof payload !== 'string') return done(null, payload);
    done(null, rewriteResponse(faults, faultRequest, reply.statusCode, payload));
  });
}

/** Whether the sandbox sent a request to itself (without TLS), or its owner did. */
export function isFromSandboxOrOwner({ raw, originalUrl }: FastifyRequest): boolean {
  return !(raw.socket instanceof TLSSocket) || originalUrl.startsWith('/_castellan');
}

/** A request as faults see it; undefined for one that no service nor the identity provider serves. */
function toFaultRequest(
  request: FastifyRequest,
  services: readonly Service[],
): FaultRequest | undefined {
  const path = pathOf(request.originalUrl);
  for (const { prefixes, description } of services) {
    const prefix = prefixes.find((each) => path === each || path.startsWith(`${each}/`));
    if (prefix === undefined || description === undefined) continue;
    return {
      service: description.name as FaultService,
      method: request.method,
      path: path.slice(prefix.length) || '/',
      callers: callerIdentifiers(request.headers.authorization),
    };
  }
  if (!identityProviderPath.test(path)) return undefined;
  const form = request.body as { client_id?: unknown } | null | undefined;
  const client = typeof form?.client_id === 'string' ? [form.client_id.toLowerCase()] : [];
  return { service: 'identity-provider', method: request.method, path, callers: client };
}

const identityProviderPath = /\/(oauth2|discovery|\.well-known|openid|msi)\b/;

/** Injects the fault that a request meets before its service sees it, if it meets one. */
async function injectDrawnFault(
  faults: FaultInjector,
  request: FastifyRequest,
  reply: FastifyReply,
  faultRequest: FaultRequest,
): Promise<void> {
  const { originalUrl: url, body } = request;
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  const fault = drawRequestFault(faults, faultRequest, `${url}\n${text}`, connectionFaults);
  if (fault === undefined) return;
  if (fault.fault === 'reset' || fault.fault === 'hang') {
    reply.hijack();
    const disconnect = (): void => void request.raw.socket.destroy();
    if (fault.fault === 'reset') disconnect();
    else if (fault.seconds !== undefined) setTimeout(disconnect, fault.seconds * 1000).unref();
    return;
  }
  try {
    await injectFault(fault);
  } catch (error) {
    if (faultRequest.service !== 'identity-provider' || !(error instanceof RefusedRequest))
      throw error;
    const { status, message, headers = {} } = error.refusal;
    reply
      .code(status)
      .headers(headers)
      .send({ error: 'temporarily_unavailable', error_description: message });
  }
}
