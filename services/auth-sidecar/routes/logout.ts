import { recordEvent } from '../audit-trail.js';
import { type Answer, htmlAnswer, redirectAnswer } from '../http/answer.js';
import { isNavigation } from '../http/browser-request.js';
import { Refusal } from '../http/refusal.js';
import { errorFields } from '../operations/log.js';
import type { Tokens } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { cookieSession } from '../session/authentication.js';
import { clearSessionCookies, setCookieValue } from '../session/cookies.js';
import { isAllowedLanding } from '../session/landing.js';
import type { Session } from '../session/session.js';
import { endSession } from '../session/list-and-end-sessions.js';
import type { CheckedRequest } from '../checked-request.js';
import { readParameters } from './request-body.js';

const landingParameter = 'post_logout_redirect_uri';
/** How long the landing is remembered while the provider signs the person out. */
const landingSeconds = 600;
/** How long a provider may take to say where the browser signs out. */
const maxProviderSeconds = 5;

/**
 * `GET {prefix}/logout`: ends the session everywhere, deletes its tokens, signs out at the provider
 * if possible, and redirects to `post_logout_redirect_uri` or the sign-out page. Without a session
 * only the cookies are cleared.
 */
export async function logOut(request: CheckedRequest): Promise<Answer> {
  const { runtime, arrival, target, credentials, headers } = request;
  const { cookieNames, cookies } = credentials;
  // A page of another site may send people here by navigating the whole window, but not in the
  // background.
  if (runtime.crossSiteGuard.isFromOtherSite(headers) && !isNavigation('GET', headers))
    throw new Refusal(403, 'Signing out is for pages of this app only.', {
      code: 'cross_site_request',
    });
  const clearCookies = [
    ...clearSessionCookies(
      cookieNames,
      cookies.sidecar.map(([name]) => name),
    ),
    ...cookies.sidecar
      .filter(([name]) => name.startsWith(cookieNames.login))
      .map(([name]) => setCookieValue(name, '', 0, cookieNames)),
  ];
  const donePath = `${runtime.settings.apiPrefix}/logout/done`;
  try {
    const landingText = readParameters(target.query, [landingParameter]).get(landingParameter);
    const landing =
      landingText !== undefined &&
      isAllowedLanding(landingText, arrival.origin.serialized, runtime.settings.allowedRedirects)
        ? landingText
        : donePath;
    const state = runtime.keys.seal(Buffer.from(landing), `landing|${arrival.origin.serialized}`);
    let providerUrl: string | undefined;
    for (const session of sessionsOf(request)) {
      const tokens = await endSession(runtime, session);
      runtime.metrics.count('sign_outs_total');
      const provider = runtime.providers.get(session.provider);
      recordEvent(request, 'sign-out', { provider, identity: session.identity, session });
      providerUrl ??= await providerSignOutUrl(
        runtime,
        session,
        tokens,
        `${arrival.origin.serialized}${donePath}`,
        state,
      );
    }
    const setCookies =
      providerUrl !== undefined && landing !== donePath
        ? [...clearCookies, setCookieValue(cookieNames.landing, state, landingSeconds, cookieNames)]
        : clearCookies;
    return redirectAnswer(providerUrl ?? landing, { 'Set-Cookie': setCookies });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.status, error.message, {
      ...error.options,
      headers: { ...error.options.headers, 'Set-Cookie': clearCookies },
    });
  }
}

/**
 * `GET {prefix}/logout/done`: where providers redirect the browser after a sign-out; redirects to
 * the requested landing, or confirms the sign-out.
 */
export function showLogout({ runtime, arrival, target, credentials }: CheckedRequest): Answer {
  const { cookieNames, cookies } = credentials;
  const landingCookie = cookies.sidecar.find(([name]) => name === cookieNames.landing)?.[1];
  if (landingCookie === undefined)
    return htmlAnswer(200, runtime.pages.signedOut(arrival.origin.host));
  const headers = { 'Set-Cookie': [setCookieValue(cookieNames.landing, '', 0, cookieNames)] };
  const state = readParameters(target.query, ['state']).get('state');
  const landing =
    state === undefined || state === landingCookie
      ? runtime.keys.open(landingCookie, `landing|${arrival.origin.serialized}`)?.toString()
      : undefined;
  return landing === undefined
    ? htmlAnswer(200, runtime.pages.signedOut(arrival.origin.host), headers)
    : redirectAnswer(landing, headers);
}

/** The request's sessions, including expired ones, whose tokens may still be stored. */
function sessionsOf({ runtime, headers, credentials, arrival }: CheckedRequest): Session[] {
  const byCookie = cookieSession(runtime, credentials);
  const byHeader =
    headers.session === undefined
      ? undefined
      : runtime.sessionCodec.open(headers.session, 'token', arrival.origin.serialized);
  return [byCookie, byHeader].filter(
    (session): session is Session => session !== undefined && session !== 'broken',
  );
}

/**
 * Where the browser signs out at the session's provider; undefined where it has no such page. A
 * failure is only logged: the session here has ended whatever the provider does.
 */
async function providerSignOutUrl(
  runtime: Runtime,
  session: Session,
  tokens: Tokens | undefined,
  returnTo: string,
  state: string,
): Promise<string | undefined> {
  try {
    return await runtime.providers
      .get(session.provider)
      ?.signOut?.(
        tokens,
        returnTo,
        state,
        AbortSignal.timeout(
          Math.min(runtime.settings.limits.providerTimeoutSeconds, maxProviderSeconds) * 1000,
        ),
      );
  } catch (error) {
    runtime.log.warn('the provider could not sign out', errorFields(error));
    return undefined;
  }
}
