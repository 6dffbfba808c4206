import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../html.js';
import { errorPage } from './pages.js';
import type { PeopleAndApplications } from './people-and-applications.js';

/** The cookie with the object id of the person for the next sign-in, and how long it is kept. */
const cookieName = 'castellan-person';
const cookieSeconds = 600;

/**
 * `/sign-in-as/PERSON?to=URL`: a link that signs a person in to an app without a choice. It
 * remembers the person for the next sign-in of this browser and redirects to the app, whose sign-in
 * layer returns for them.
 *
 * @param host the sandbox's own `localhost:PORT`, at or below which a link may lead.
 * @param signInPrefixAt the path below which the sign-in layer of the app at a Host answers.
 */
export function registerSignInAsRoute(
  app: FastifyInstance,
  directory: Pick<PeopleAndApplications, 'person'>,
  host: string,
  signInPrefixAt: (host: string) => string,
): void {
  app.get('/sign-in-as/:person', async (request, reply) => {
    const { person: name } = request.params as { person: string };
    const { to = '' } = request.query as { to?: string };
    const sendError = (status: number, text: string) =>
      reply
        .code(status)
        .type('text/html; charset=utf-8')
        .header('content-security-policy', contentSecurityPolicy)
        .send(errorPage('not-found', text));
    const target = URL.canParse(to) ? new URL(to) : undefined;
    if (
      target === undefined ||
      target.protocol !== 'https:' ||
      !(target.host === host || target.host.endsWith(`.${host}`))
    )
      return sendError(400, `A link leads to an app of this sandbox: ?to=https://<app>.${host}/`);
    const person = await directory.person(name);
    if (person === undefined)
      return sendError(
        404,
        `There is no person ${name}. Add one: castellan sandbox seed --person ${name}`,
      );
    reply.header(
      'set-cookie',
      `${cookieName}=${person.id}; Path=/; Max-Age=${String(cookieSeconds)}; Secure; HttpOnly; SameSite=Lax`,
    );
    const login = new URL(`${signInPrefixAt(target.host)}/login/directory`, target);
    login.searchParams.set('post_login_redirect_uri', `${target.pathname}${target.search}`);
    return reply.redirect(login.href, 302);
  });
}

/** The `Set-Cookie` that deletes the cookie of the person. */
export const clearPersonCookie = `${cookieName}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax`;

/** The object id of the person whom a link chose in this browser. */
export function preselectedPersonId({ headers }: FastifyRequest): string | undefined {
  const cookies = (headers.cookie ?? '').split(/;\s*/).map((each) => each.split('='));
  return cookies.find(([name]) => name === cookieName)?.[1];
}
