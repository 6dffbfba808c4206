import { type Answer, htmlAnswer, jsonAnswer, redirectAnswer } from '../http/answer.js';
import { Refusal } from '../http/refusal.js';
import { parseTarget } from '../http/request-target.js';
import { pathOwner } from '../path-owner.js';
import { loginLinks } from '../sign-in-answers.js';
import type { LoginAttempt, Provider, CompletedSignIn } from '../providers/provider.js';
import { withProviderTimeout } from '../providers/provider-http.js';
import { requirementsOfLanding, combinedStepUp } from '../path-requirements.js';
import { isAllowedLanding } from '../session/landing.js';
import { loginSetCookies, generateStateAndSeed, deriveSecrets } from '../session/login-cookie.js';
import { callSessionStore } from '../session/call-session-store.js';
import {
  establishSession,
  type PartialSignIn,
  recordFailedSignIn,
  recordSignIn,
  sessionTimes,
  type SessionTimes,
  userId,
} from './session-start.js';
import type { CheckedRequest } from '../checked-request.js';
import { readJson, readParameters } from './request-body.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

const landingParameter = 'post_login_redirect_uri';

/** `GET {prefix}/login`: the page that lists the providers. */
export function listProviders({ runtime, arrival, target }: CheckedRequest): Answer {
  const landingText = readParameters(target.query, [landingParameter]).get(landingParameter) ?? '/';
  const landing = isAllowedLanding(
    landingText,
    arrival.origin.serialized,
    runtime.settings.allowedRedirects,
  )
    ? landingText
    : '/';
  return htmlAnswer(200, runtime.pages.signIn(arrival.origin.host, loginLinks(runtime, landing)));
}

/** `GET {prefix}/login/<provider>`: redirects the browser to the provider. */
export async function beginLogin(request: CheckedRequest, provider: Provider): Promise<Answer> {
  const { runtime, arrival, target } = request;
  const parameters = readParameters(target.query, [
    landingParameter,
    ...provider.forwardedParameters,
  ]);
  const landing = resolveLanding(request, parameters.get(landingParameter) ?? '/');
  const { state, seed } = generateStateAndSeed();
  const attempt = loginAttempt(request, provider, state, seed);
  const forwardedParameters = provider.forwardedParameters.flatMap((name) => {
    const value = parameters.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const stepUp = combinedStepUp(requirementsOfLanding(landing, request));
  const redirect = await withProviderTimeout(runtime, (signal) =>
    provider.beginLogin({ ...attempt, ...omitUndefined({ stepUp }) }, forwardedParameters, signal),
  );
  const { lifetimeSeconds } = runtime.settings.nonce;
  const cookies = loginSetCookies(
    runtime.keys,
    arrival.origin.serialized,
    request.credentials.cookieNames,
    redirect.state ?? state,
    {
      provider: provider.key,
      landing,
      expiresAt: runtime.now() + lifetimeSeconds,
      seed,
      ...omitUndefined({ secret: redirect.secret }),
    },
    request.credentials.cookies.sidecar,
    provider.usesFormPost,
    lifetimeSeconds,
  );
  return redirectAnswer(redirect.location, { 'Set-Cookie': cookies });
}

/**
 * The landing of a sign-in: the requested one, or `/` instead of a path that the sidecar answers.
 *
 * @throws Refusal 400 for a landing outside this app that is not allowed
 */
function resolveLanding({ runtime, arrival }: CheckedRequest, landing: string): string {
  const { allowedRedirects } = runtime.settings;
  if (!isAllowedLanding(landing, arrival.origin.serialized, allowedRedirects))
    throw new Refusal(
      400,
      `The parameter ${landingParameter} must be a path of this app or one of the allowed URLs.`,
      {
        code: 'invalid_redirect',
      },
    );
  // At a path of the sidecar the browser would be signed out again, or redirected in a loop.
  const { origin, pathname } = new URL(landing, arrival.origin.serialized);
  const isSidecarPath =
    origin === arrival.origin.serialized &&
    pathOwner(parseTarget(pathname), runtime.settings) !== 'app';
  return isSidecarPath ? '/' : landing;
}

/** The secrets of a sign-in under the request's origin. */
export function loginAttempt(
  { runtime, arrival }: CheckedRequest,
  provider: Provider,
  state: string,
  seed: string,
  secret?: string,
): LoginAttempt {
  const { nonce, verifier } = deriveSecrets(seed);
  return {
    redirectUri: `${arrival.origin.serialized}${runtime.settings.apiPrefix}/login/${provider.pathNames[0]}/callback`,
    state,
    nonce: runtime.settings.nonce.validate ? nonce : undefined,
    verifier,
    ...omitUndefined({ secret }),
  };
}

/**
 * `POST {prefix}/login/<provider>`: exchanges a provider token for a session token. Never sets a
 * cookie.
 */
export async function postLogin(request: CheckedRequest, provider: Provider): Promise<Answer> {
  const { runtime, arrival } = request;
  const body = await readJson(request);
  const partial: PartialSignIn = {};
  try {
    const providerAskedAt = runtime.date();
    const postedSignIn = await withProviderTimeout(runtime, (signal) =>
      provider.acceptPostedTokens(body, signal),
    );
    partial.identity = postedSignIn.identity;
    await refuseSignedOut(request, provider, postedSignIn);
    // A refresh token that the provider gave for a posted code needs no check.
    const signIn =
      postedSignIn.tokens.refreshToken === body['refresh_token']
        ? await withVerifiedRefreshToken(request, provider, postedSignIn)
        : postedSignIn;
    const session = await establishSession(runtime, provider, signIn, {
      providerAskedAt,
      times: postedSessionTimes(request, signIn),
    });
    runtime.metrics.count('sign_ins_total', { provider: provider.pathNames[0], flow: 'client' });
    recordSignIn(request, provider, session);
    const authenticationToken = runtime.sessionCodec.seal(
      session,
      'token',
      arrival.origin.serialized,
    );
    return jsonAnswer(200, { authenticationToken, user: { userId: userId(runtime, session) } });
  } catch (error) {
    runtime.metrics.count('sign_in_failures_total', { provider: provider.pathNames[0] });
    recordFailedSignIn(request, provider, error, partial);
    throw error;
  }
}

/** @throws Refusal 401 for a token from before a sign-out of its person */
async function refuseSignedOut(
  { runtime }: CheckedRequest,
  provider: Provider,
  signIn: CompletedSignIn,
): Promise<void> {
  const { tokens } = signIn;
  const postedTokens = [tokens.idToken, tokens.authenticationToken, tokens.accessToken];
  for (const token of postedTokens) {
    if (token === undefined) continue;
    const wasSignedOut = await callSessionStore(runtime, () =>
      runtime.sessionStore.wasSignedOut(provider.key, signIn, token),
    );
    if (!wasSignedOut) continue;
    throw new Refusal(401, 'This token was issued before its person signed out.', {
      code: 'invalid_token',
    });
  }
}

/**
 * The sign-in with its posted refresh token renewed, or without it if the provider does not renew it
 * for the same person: an invented refresh token would prolong the session of a stolen token.
 *
 * @throws Refusal 502 or 504 when the provider can't be reached
 */
async function withVerifiedRefreshToken(
  { runtime, id }: CheckedRequest,
  provider: Provider,
  signIn: CompletedSignIn,
): Promise<CompletedSignIn> {
  const { refreshToken, ...otherTokens } = signIn.tokens;
  if (refreshToken === undefined) return signIn;
  const renewedToken = await withProviderTimeout(runtime, async (signal) => {
    const tokens = await provider.refresh?.({ refreshToken }, signal);
    const person = tokens && (await provider.fetchIdentity?.(tokens, signIn.identity, signal));
    return person && tokens?.refreshToken;
  }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return undefined;
  });
  if (renewedToken === undefined)
    runtime.log.info('a posted refresh token proves nothing and is not kept', { id });
  return {
    ...signIn,
    tokens: { ...otherTokens, ...omitUndefined({ refreshToken: renewedToken }) },
  };
}

/** A session from a posted token ends with the token, unless a refresh token came with it. */
function postedSessionTimes(
  { runtime }: CheckedRequest,
  { expiresAt, tokens }: CompletedSignIn,
): SessionTimes {
  const times = sessionTimes(runtime, expiresAt);
  const tokenExpiry = expiresAt ?? tokens.expiresOn;
  if (tokens.refreshToken !== undefined || tokenExpiry === undefined) return times;
  const sessionExpiry = Math.max(
    times.issuedAt,
    Math.min(times.expiresAt, Math.floor(tokenExpiry)),
  );
  return { issuedAt: times.issuedAt, expiresAt: sessionExpiry, renewableUntil: sessionExpiry };
}
