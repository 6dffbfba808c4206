import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../html.js';
import { errorPage } from './pages.js';
import type { PeopleAndApplications } from './people-and-applications.js';

const cookie = 'castellan-person';
const seconds = 600;

/**
 * `/sign-in-as/PERSON?to=URL`: a link that signs a person in to an app without a choice. It
 * remembers the person for the next sign-in of this browser and redirects to the app, whose sign-in
 * layer returns for them.
 *
 * @param host the sandbox's own `localhost:PORT`, at or below which a link may lead.
 */
export function registerSignInAs(
  app: FastifyInstance,
  directory: Pick<PeopleAndApplications, 'person'>,
  host: string,
): void {
  app.get('/sign-in-as/:person', async (request, reply) => {
    const { person: name } = request.params as { person: string };
    const { to = '' } = request.query as { to?: string };
    const show = (status: number, text: string) =>
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
      return show(400, `A link leads to an app of this sandbox: ?to=https://<app>.${host}/`);
    const person = await directory.person(name);
    if (person === undefined)
      return show(
        404,
        `There is no person ${name}. Add one: castellan sandbox seed --person ${name}`,
      );
    reply.header(
      'set-cookie',
      `${cookie}=${person.id}; Path=/; Max-Age=${String(seconds)}; Secure; HttpOnly; SameSite=Lax`,
    );
    const login = new URL('/.auth/login/directory', target);
    login.searchParams.set('post_login_redirect_uri', `${target.pathname}${target.search}`);
    return reply.redirect(login.href, 302);
  });
}

/** The `Set-Cookie` that deletes it. */
export const clearPersonCookie = `${cookie}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax`;

/** The person requested by a link in this browser. */
export function requestedPerson({ headers }: FastifyRequest): string | undefined {
  const words = (headers.cookie ?? '').split(/;\s*/).map((each) => each.split('='));
  return words.find(([name]) => name === cookie)?.[1];
}
