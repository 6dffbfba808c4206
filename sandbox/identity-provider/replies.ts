import type { FastifyReply } from 'fastify';
import { contentSecurityPolicy } from '../html.js';
import type { OAuthResponse } from './oauth-response.js';

/** The methods of routes that browsers open, and to which forms are sent. */
export const browserMethods = ['GET', 'POST'];

/** Sends the response of an OAuth endpoint, which is never cached. */
export function sendOAuthResponse(
  reply: FastifyReply,
  { status, body }: OAuthResponse,
): FastifyReply {
  return reply.code(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(body);
}

/**
 * Sends a page, which no other page may frame. Its form targets are not restricted: after a sign-in
 * the browser is redirected to the application, at any address.
 */
export function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  const headers = {
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
  };
  return reply.code(status).type('text/html; charset=utf-8').headers(headers).send(content);
}
