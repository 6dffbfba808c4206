import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errorPage, signInPage } from './pages.js';
import { clearPersonCookie, requestedPerson } from './preselected-person.js';
import type { TokenContext } from './token-endpoint.js';
import type { OpenProvider } from './forward-to-provider.js';
import { sendPage, peopleLimit, type Form } from './replies.js';

type InteractionDetails = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The page to choose a person. */
export function registerSignIn(
  app: FastifyInstance,
  context: TokenContext,
  openProvider: OpenProvider,
): void {
  const { directory } = context;
  app.get('/:tenant/sign-in/:uid', async (request, reply) => {
    const provider = await openProvider();
    const details = await detailsOf(provider, request, reply);
    if (details === undefined) {
      const message =
        'This sign-in has ended or was started in another browser. Start again at the application.';
      return sendPage(reply, 400, errorPage('expired', message));
    }
    const account = requestedPerson(request);
    const person = account === undefined ? undefined : await directory.person(account);
    if (person !== undefined) {
      reply.raw.setHeader('set-cookie', clearPersonCookie); // a link is for one sign-in
      return finishSignIn(provider, request, reply, details, person.id);
    }
    const clientId = String(details.params['client_id'] ?? '');
    const application = (await directory.application(clientId))?.displayName ?? 'an application';
    const refusal = context.refusal?.(details.session?.accountId ?? '', clientId);
    return sendPage(
      reply,
      200,
      signInPage({
        people: await directory.people(peopleLimit),
        application,
        action: request.url,
        refusal,
      }),
    );
  });
  app.post('/:tenant/sign-in/:uid', async (request, reply) => {
    const provider = await openProvider();
    const details = await detailsOf(provider, request, reply);
    const { person: personId = '' } = (request.body ?? {}) as Form;
    const person = details === undefined ? undefined : await directory.person(personId);
    if (details === undefined || person === undefined) {
      const message = 'This sign-in is over, or no one was chosen. Begin again at the application.';
      return sendPage(reply, 400, errorPage('expired', message));
    }
    return finishSignIn(provider, request, reply, details, person.id);
  });
}

async function detailsOf(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<InteractionDetails | undefined> {
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch {
    return undefined; // no cookie, another browser or too late: the page says so
  }
}

async function finishSignIn(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  details: InteractionDetails,
  person: string,
): Promise<FastifyReply> {
  await leaveSessionOfAnother(provider, details, person);
  reply.hijack();
  const result = { login: { accountId: person }, select_account: {} };
  await provider.interactionFinished(request.raw, reply.raw, result, {
    mergeWithLastSubmission: false,
  });
  return reply;
}

/**
 * Ends another person's session in this browser: choosing another person starts over, without the
 * round trip by which oidc-provider would sign the first one out.
 */
async function leaveSessionOfAnother(
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
