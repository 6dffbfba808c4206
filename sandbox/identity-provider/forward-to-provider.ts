import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { TokenContext } from './token-endpoint.js';

/** Passes a request to oidc-provider, with a changed address. */
export type ForwardToProvider = (
  request: FastifyRequest,
  reply: FastifyReply,
  change?: (url: URL) => void,
) => Promise<FastifyReply>;

/** Loaded with the first request that needs it, since oidc-provider takes a while to load. */
export type OpenProvider = () => Promise<Provider>;

/** Passes requests to oidc-provider, which is mounted at the path of the tenant's id. */
export function providerForwarder(
  provider: OpenProvider,
  { origin, settings }: TokenContext,
): ForwardToProvider {
  let callback: ReturnType<Provider['callback']> | undefined;
  return async (request, reply, change) => {
    callback ??= (await provider()).callback();
    const url = new URL(request.raw.url ?? '/', origin);
    url.pathname = url.pathname.replace(/^\/[^/]+/, `/${settings.tenantId}`);
    change?.(url);
    const raw = request.raw as typeof request.raw & { originalUrl?: string; body?: unknown };
    raw.originalUrl = `${url.pathname}${url.search}`;
    raw.url = raw.originalUrl.slice(settings.tenantId.length + 1);
    if (request.body !== undefined) raw.body = request.body;
    reply.hijack();
    reply.raw.setHeader('x-frame-options', 'DENY');
    void callback(request.raw, reply.raw);
    return reply;
  };
}
