import type { FastifyReply } from 'fastify';
import { isObject } from '../../core/values/is-object.js';
import { contentSecurityPolicy } from '../html.js';
import type { OAuthResponse } from './token-endpoint.js';

/** The fields of a form, or of a query. */
export type Form = Readonly<Record<string, string>>;

/**
 * The fields of a query or a parsed body. Repeated ones, which OAuth does not allow (RFC 6749, 3.1),
 * and those of JSON that are no texts count as missing.
 */
export function formOf(parsed: unknown): Form {
  if (!isObject(parsed) || Buffer.isBuffer(parsed)) return {};
  const fields = Object.entries(parsed);
  return Object.fromEntries(
    fields.filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}

/** The methods of routes that browsers open, and to which forms are sent. */
export const browserMethods = ['GET', 'POST'];

/** The most people that a sign-in page lists. */
export const peopleLimit = 500;

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
