import { type Answer, redirectAnswer } from '../http/answer.js';
import { Refusal } from '../http/refusal.js';
import type { PageLink } from '../pages/pages.js';
import { providerErrorCode } from '../providers/provider-refusals.js';
import type { Provider } from '../providers/provider.js';
import { withProviderTimeout } from '../providers/provider-http.js';
import { meetsStepUp, requirementsOfLanding } from '../path-requirements.js';
import { cookieSession } from '../session/authentication.js';
import { sessionSetCookies } from '../session/cookies.js';
import { clearLoginCookie, findLogin, stateId } from '../session/login-cookie.js';
import { callSessionStore } from '../session/call-session-store.js';
import {
  establishSession,
  type PartialSignIn,
  recordFailedSignIn,
  recordSignIn,
} from './session-start.js';
import { loginAttempt } from './login.js';
import type { CheckedRequest } from '../checked-request.js';
import { readBody, readParameters } from './request-body.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * How long a used state is remembered after its sign-in has expired, in seconds. An expired state
 * completes no sign-in.
 */
const usedStateSeconds = 60;

/**
 * `GET {prefix}/login/<provider>/callback`: completes a sign-in. Nothing is redeemed before it is
 * verified that this browser started this sign-in with this provider, and that it was not completed
 * before.
 */
export async function finishLogin(request: CheckedRequest, provider: Provider): Promise<Answer> {
  const partial: PartialSignIn = {};
  try {
    return await completeLogin(request, provider, partial);
  } catch (error) {
    recordFailedSignIn(request, provider, error, partial);
    throw error;
  }
}

async function completeLogin(
  request: CheckedRequest,
  provider: Provider,
  partial: PartialSignIn,
): Promise<Answer> {
  const { runtime, arrival, credentials } = request;
  const form =
    request.method === 'POST'
      ? (await readBody(request.inbound)).toString('utf8')
      : request.target.query;
  const parameters = readParameters(form, provider.callbackParameters);
  if (parameters.has('code') && parameters.has('error'))
    throw signInRefusal(400, 'The answer of the identity provider contradicts itself.');
  const state = parameters.get(provider.stateParameter) ?? parameters.get('denied');
  if (state === undefined)
    throw signInRefusal(401, 'The answer of the identity provider names no sign-in.');
  const { cookieNames, cookies } = credentials;
  const foundLogin = findLogin(
    runtime.keys,
    arrival.origin.serialized,
    cookieNames,
    state,
    cookies.sidecar,
  );
  if (foundLogin === undefined)
    throw signInRefusal(
      401,
      'This sign-in was not started in this browser, or has ended.',
      undefined,
      retryLinks(request, provider, '/'),
    );
  const { name, login } = foundLogin;
  partial.landing = login.landing;
  const clearCookie = clearLoginCookie(name, cookieNames);
  if (login.provider !== provider.key)
    throw signInRefusal(
      401,
      'This sign-in was started with another identity provider.',
      clearCookie,
    );
  const now = runtime.now();
  if (login.expiresAt <= now) {
    const loginAddress = `${runtime.settings.apiPrefix}/login/${provider.pathNames[0]}?post_login_redirect_uri=${encodeURIComponent(login.landing)}`;
    return redirectAnswer(loginAddress, { 'Set-Cookie': [clearCookie] });
  }
  const isFirstUse = await callSessionStore(runtime, () =>
    runtime.sessionStore.addKey(`state-${stateId(state)}`, login.expiresAt + usedStateSeconds),
  );
  if (!isFirstUse)
    throw signInRefusal(
      401,
      'This sign-in has been completed before.',
      clearCookie,
      retryLinks(request, provider, login.landing),
    );
  try {
    const error =
      parameters.get('error') ?? (parameters.has('denied') ? 'access_denied' : undefined);
    if (error !== undefined)
      throw signInRefusal(
        401,
        `The identity provider did not sign you in (${providerErrorCode(error)}).`,
        clearCookie,
      );
    const providerAskedAt = runtime.date();
    const signIn = await withProviderTimeout(runtime, (signal) =>
      provider.completeLogin(
        parameters,
        loginAttempt(request, provider, state, login.seed, login.secret),
        signal,
      ),
    );
    partial.identity = signIn.identity;
    const requirements = requirementsOfLanding(login.landing, request);
    if (!requirements.every((each) => meetsStepUp(each, signIn.identity, runtime)))
      throw new Refusal(
        403,
        'The identity provider did not sign you in as strongly or as recently as this page requires.',
        { code: 'insufficient_user_authentication', rule: 'globalValidation.requirements' },
      );
    const session = await establishSession(runtime, provider, signIn, { providerAskedAt });
    // a refused person keeps the session that the browser has
    const previousSession = cookieSession(runtime, credentials);
    if (previousSession !== undefined && previousSession !== 'broken')
      await callSessionStore(runtime, () =>
        runtime.sessionStore.end(previousSession, runtime.now()),
      );
    recordSignIn(request, provider, session, login.landing);
    const cookie = runtime.sessionCodec.seal(session, 'cookie', arrival.origin.serialized);
    runtime.metrics.count('sign_ins_total', { provider: provider.pathNames[0], flow: 'server' });
    const presentCookieNames = cookies.sidecar.map(([each]) => each);
    return redirectAnswer(login.landing, {
      'Set-Cookie': [
        clearCookie,
        ...sessionSetCookies(
          cookie,
          session.renewableUntil - session.issuedAt,
          cookieNames,
          presentCookieNames,
        ),
      ],
    });
  } catch (error) {
    runtime.metrics.count('sign_in_failures_total', { provider: provider.pathNames[0] });
    if (!(error instanceof Refusal)) throw error;
    // A refused person may have another account.
    const links =
      error.options.links ??
      retryLinks(
        request,
        provider,
        login.landing,
        error.status === 403 ? 'select_account' : undefined,
      );
    throw new Refusal(error.status, error.message, {
      ...error.options,
      headers: { ...error.options.headers, 'Set-Cookie': [clearCookie] },
      links,
    });
  }
}

/**
 * The links on the page for a person whom a provider did not sign in, or the app did not admit.
 *
 * @param prompt what to request from the provider, if it supports that
 */
function retryLinks(
  { runtime }: CheckedRequest,
  provider: Provider,
  landing: string,
  prompt?: string,
): PageLink[] {
  const query = new URLSearchParams(
    prompt !== undefined && provider.forwardedParameters.includes('prompt') ? { prompt } : {},
  );
  if (landing !== '/') query.set('post_login_redirect_uri', landing);
  const retryAddress = `${runtime.settings.apiPrefix}/login/${provider.pathNames[0]}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const otherWays =
    runtime.providers.size > 1
      ? [
          {
            label: runtime.pages.text('signIn.otherWay'),
            href: `${runtime.settings.apiPrefix}/login`,
          },
        ]
      : [];
  return [{ label: runtime.pages.text('signIn.again'), href: retryAddress }, ...otherWays];
}

function signInRefusal(
  status: number,
  message: string,
  cookie?: string,
  links?: readonly PageLink[],
): Refusal {
  return new Refusal(status, message, {
    code: 'sign_in_failed',
    ...(cookie !== undefined && { headers: { 'Set-Cookie': [cookie] } }),
    ...omitUndefined({ links }),
  });
}
