import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy, html, page } from '../html.js';
import type { SandboxSettings } from '../settings.js';

/** The path of the console. */
export const consolePath = '/_castellan/console/';

/**
 * The token in the console's address, derived from the sandbox's own token: a browser with it can
 * view and change the sandbox.
 */
export function consoleToken({ adminToken }: SandboxSettings): string {
  return createHmac('sha256', adminToken).update('console').digest('base64url');
}

/** The address that `castellan up` and `castellan console` print. */
export function consoleUrl(origin: string, settings: SandboxSettings): string {
  return `${origin}${consolePath}?token=${consoleToken(settings)}`;
}

/**
 * Admits requests of the console's own page: to one of the sandbox's hosts, from the same origin,
 * with the session cookie that the token in the address was exchanged for. Answers all others.
 *
 * @returns whether the request is admitted.
 */
export function admitRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: SandboxSettings,
): boolean {
  const ownHosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${settings.port}`);
  const { host, origin, cookie, 'sec-fetch-site': fetchSite } = request.headers;
  // Against DNS rebinding: another site's name may resolve to this machine.
  if (host === undefined || !ownHosts.includes(host.toLowerCase()))
    return refuse(reply, 421, 'This address belongs to another host.');
  if (origin !== undefined && origin !== `https://${host.toLowerCase()}`)
    return refuse(reply, 403, 'Requests of other sites are refused.');
  const isNavigation =
    request.method === 'GET' &&
    origin === undefined &&
    request.headers['sec-fetch-dest'] === 'document';
  if (fetchSite === 'cross-site' && !isNavigation)
    return refuse(reply, 403, 'Requests of other sites are refused.');
  if (request.method !== 'GET' && origin === undefined)
    return refuse(reply, 403, 'A request that changes something must have the header Origin.');

  const token = consoleToken(settings);
  const session = createHash('sha256').update(token).digest('base64url');
  const cookieName = `castellan-console-${settings.port}`;
  const queryToken = (request.query as { token?: unknown }).token;
  if (
    typeof queryToken === 'string' &&
    request.method === 'GET' &&
    isSameSecret(queryToken, token)
  ) {
    reply.header(
      'set-cookie',
      `${cookieName}=${session}; Path=${consolePath}; HttpOnly; Secure; SameSite=Strict`,
    );
    // Removes the token from the address bar and the history.
    reply.redirect(consolePath, 303);
    return false;
  }
  const cookies = (cookie ?? '').split(';').map((each) => each.trim());
  if (
    cookies.some(
      (each) =>
        each.startsWith(`${cookieName}=`) &&
        isSameSecret(each.slice(cookieName.length + 1), session),
    )
  )
    return true;
  return refuse(
    reply,
    401,
    'Open the console by the address that `castellan console` prints: it contains the token.',
  );
}

/** The path of links to the console from other sites, such as the pages of apps. */
export const consoleLinkPath = `${consolePath}open`;

/** The address of a page of the console, for links from other sites. */
export function consoleLink(origin: string, to: string): string {
  return `${origin}${consoleLinkPath}?${new URLSearchParams({ to }).toString()}`;
}

/**
 * Redirects a link from another site to a page of the console by a page of the sandbox: a browser
 * sends the console's `SameSite=Strict` cookie only with a request from the same site. The page has
 * no data, so that it needs no session.
 */
export function redirectToConsole(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { to = '' } = request.query as { to?: string };
  const target = `${consolePath}#/${to}`;
  return sendPage(
    reply,
    html`<meta http-equiv="refresh" content="0;url=${target}" />
      <p><a href="${target}">Go on to the console</a></p>`,
  );
}

/** Answers with a page that says why. @returns false: the request is not admitted */
function refuse(reply: FastifyReply, status: number, reason: string): false {
  sendPage(
    reply.code(status),
    html`<h1>The console</h1>
      <p>${reason}</p>`,
  );
  return false;
}

function sendPage(reply: FastifyReply, body: ReturnType<typeof html>): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
    })
    .send(page('Console', body));
}

/** Compares secrets in constant time. */
export function isSameSecret(token: string, expected: string): boolean {
  const [left, right] = [Buffer.from(token), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
