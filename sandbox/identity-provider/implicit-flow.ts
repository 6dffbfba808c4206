import type { FastifyReply, FastifyRequest } from 'fastify';
import { trimEnd } from '../../core/text/trim-end.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { personClaims } from '../../access/token-claims.js';
import { errorPage, maxListedPeople, signInPage } from './pages.js';
import {
  type Application,
  type Person,
  redirectUrisOf,
  unassignedMessage,
} from './people-and-applications.js';
import { resourceOf, scopeClaim, severalResourcesError } from './scopes.js';
import { issuerOf, type IdentityProviderContext } from './context.js';
import { tokenLifetimeSeconds } from './oauth-response.js';
import { type Form, formOf } from './form.js';
import { sendPage } from './replies.js';

/**
 * The implicit flow (RFC 6749, section 4.2), by which the billing service's documentation gets
 * tokens: a page to choose a person, then a redirect with the token.
 */
export async function implicitFlow(
  context: IdentityProviderContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { directory } = context;
  const query: Form = {
    ...formOf(request.query),
    ...(request.method === 'POST' ? formOf(request.body) : {}),
  };
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state } = query;
  const application = await directory.application(clientId);
  if (application === undefined) {
    const message = `The application '${clientId}' is not registered in the sandbox's directory.`;
    return sendPage(reply, 400, errorPage('unauthorized_client', message));
  }
  if (!redirectUrisOf(application).includes(redirectUri)) {
    const message = `The redirect URI '${redirectUri}' is not one of the application's.`;
    return sendPage(reply, 400, errorPage('invalid_request', message));
  }
  const redirect = (values: Readonly<Record<string, string>>): FastifyReply => {
    const fragment = new URLSearchParams({ ...values, ...omitUndefined({ state }) });
    return reply.redirect(`${redirectUri}#${fragment.toString()}`, 303);
  };
  if (query['response_type'] !== 'token')
    return redirect({
      error: 'unsupported_response_type',
      error_description: 'Only response_type=token is answered here.',
    });
  const scopeRefusal = severalResourcesError(query['scope'] ?? '', clientId);
  if (scopeRefusal !== undefined) {
    const { error, error_description } = scopeRefusal.body;
    return redirect({ error, error_description });
  }
  if (request.method === 'GET') {
    const people = await directory.people(maxListedPeople);
    const page = { people, application: application.displayName ?? clientId, action: request.url };
    return sendPage(reply, 200, signInPage(page));
  }
  const person = await directory.person(query['person'] ?? '');
  if (person === undefined)
    return redirect({ error: 'access_denied', error_description: 'No one was chosen.' });
  if ((await directory.noTokenReasonOf(person, clientId)) === 'unassigned')
    return redirect({
      error: 'access_denied',
      error_description: unassignedMessage(person, clientId),
    });
  return redirect(await tokenFields(context, query, person, application));
}

/** The fields of the redirect with a token for a person and an application. */
async function tokenFields(
  context: IdentityProviderContext,
  query: Form,
  person: Person,
  application: Application,
): Promise<Readonly<Record<string, string>>> {
  const { origin, settings, key, directory } = context;
  const { client_id: clientId = '', scope = 'user_impersonation', resource } = query;
  const memberships = await directory.membershipsOf(person.id);
  const audience = trimEnd(resource ?? resourceOf(scope, clientId) ?? origin, '/');
  const token = await key.sign(
    {
      ...personClaims(person, memberships, application, settings.tenantId),
      iss: issuerOf(context),
      aud: audience,
      sub: person.id,
      appid: clientId,
      azp: clientId,
      scp: scopeClaim(scope, audience),
    },
    tokenLifetimeSeconds,
  );
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: String(tokenLifetimeSeconds),
    scope,
  };
}
