import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { IdentityProviderContext } from './context.js';

/** Passes a request to oidc-provider. @param changeUrl changes its address before */
export type ForwardToProvider = (
  request: FastifyRequest,
  reply: FastifyReply,
  changeUrl?: (url: URL) => void,
) => Promise<FastifyReply>;

/** Loads oidc-provider, which takes a while, with the first request that needs it. */
export type LoadOidcProvider = () => Promise<Provider>;

/** Passes requests to oidc-provider, which is mounted at the path of the tenant's id. */
export function providerForwarder(
  loadOidcProvider: LoadOidcProvider,
  { origin, settings }: IdentityProviderContext,
): ForwardToProvider {
  let callback: ReturnType<Provider['callback']> | undefined;
  return async (request, reply, changeUrl) => {
    callback ??= (await loadOidcProvider()).callback();
    const url = new URL(request.raw.url ?? '/', origin);
    url.pathname = url.pathname.replace(/^\/[^/]+/, `/${settings.tenantId}`);
    changeUrl?.(url);
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
