import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errorPage, maxListedPeople, signInPage } from './pages.js';
import { clearPersonCookie, preselectedPersonId } from './preselected-person.js';
import type { IdentityProviderContext } from './context.js';
import type { LoadOidcProvider } from './forward-to-provider.js';
import { formOf } from './form.js';
import { sendPage } from './replies.js';

type InteractionDetails = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Adds the page to choose a person, and the route that takes the choice. */
export function registerSignInRoutes(
  app: FastifyInstance,
  context: IdentityProviderContext,
  loadOidcProvider: LoadOidcProvider,
): void {
  const { directory } = context;
  app.get('/:tenant/sign-in/:uid', async (request, reply) => {
    const provider = await loadOidcProvider();
    const details = await interactionDetails(provider, request, reply);
    if (details === undefined) {
      const message =
        'This sign-in has ended or was started in another browser. Start again at the application.';
      return sendPage(reply, 400, errorPage('expired', message));
    }
    const preselectedId = preselectedPersonId(request);
    const person = preselectedId === undefined ? undefined : await directory.person(preselectedId);
    if (person !== undefined) {
      reply.raw.setHeader('set-cookie', clearPersonCookie); // a link chooses for one sign-in
      return finishSignIn(provider, request, reply, details, person.id);
    }
    const clientId = String(details.params['client_id'] ?? '');
    const application = (await directory.application(clientId))?.displayName ?? 'an application';
    const latestRefusal = context.latestRefusal?.(details.session?.accountId ?? '', clientId);
    return sendPage(
      reply,
      200,
      signInPage({
        people: await directory.people(maxListedPeople),
        application,
        action: request.url,
        latestRefusal,
      }),
    );
  });
  app.post('/:tenant/sign-in/:uid', async (request, reply) => {
    const provider = await loadOidcProvider();
    const details = await interactionDetails(provider, request, reply);
    const { person: personId = '' } = formOf(request.body);
    const person = details === undefined ? undefined : await directory.person(personId);
    if (details === undefined || person === undefined) {
      const message = 'This sign-in is over, or no one was chosen. Begin again at the application.';
      return sendPage(reply, 400, errorPage('expired', message));
    }
    return finishSignIn(provider, request, reply, details, person.id);
  });
}

/** The details of a sign-in in progress; undefined if it has ended, or is another browser's. */
async function interactionDetails(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<InteractionDetails | undefined> {
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch (error) {
    const { errors } = await import('oidc-provider');
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

async function finishSignIn(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  details: InteractionDetails,
  personId: string,
): Promise<FastifyReply> {
  await endSessionOfOtherPerson(provider, details, personId);
  reply.hijack();
  const result = { login: { accountId: personId }, select_account: {} };
  await provider.interactionFinished(request.raw, reply.raw, result, {
    mergeWithLastSubmission: false,
  });
  return reply;
}

/**
 * Ends the session of another person in this browser, without the redirects by which oidc-provider
 * would sign that person out.
 */
async function endSessionOfOtherPerson(
  provider: Provider,
  details: InteractionDetails,
  personId: string,
): Promise<void> {
  const { session } = details;
  if (session === undefined || session.accountId === personId) return;
  await (await provider.Session.findByUid(session.uid))?.destroy();
  delete details.session;
  await details.save(details.exp - Math.floor(Date.now() / 1000));
}
