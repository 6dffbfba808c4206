import type { KoaContextWithOIDC } from 'oidc-provider';
import { contentSecurityPolicy } from '../html.js';
import { sendLogoutTokens } from './back-channel-logout.js';
import { signedOutPage, confirmSignOutPage } from './pages.js';

/**
 * Signs out at once if the application sends an `id_token_hint` of the signed-in person, as in the
 * cloud. Otherwise asks first: any page could contain a link that signs out.
 */
export async function signOut(
  ctx: KoaContextWithOIDC,
  confirmationForm: string,
  onFailure: (error: Error) => void,
): Promise<void> {
  const { session, entities, provider } = ctx.oidc;
  const subject = (entities['IdTokenHint'] as { payload?: { sub?: string } } | undefined)?.payload
    ?.sub;
  if (session === undefined || subject === undefined || subject !== session.accountId)
    return sendHtml(ctx, confirmSignOutPage(confirmationForm));
  const { postLogoutRedirectUri, state } = (session.state ?? {}) as {
    postLogoutRedirectUri?: string;
    state?: string;
  };
  await sendLogoutTokens(provider, session, onFailure);
  await session.destroy();
  ctx.cookies.set(provider.cookieName('session'), null, {
    httpOnly: true,
    overwrite: true,
    sameSite: 'lax',
    signed: true,
  });
  const returnUrl =
    postLogoutRedirectUri === undefined ? undefined : new URL(postLogoutRedirectUri);
  if (state !== undefined) returnUrl?.searchParams.set('state', state);
  if (returnUrl === undefined) return sendHtml(ctx, signedOutPage());
  ctx.status = 303;
  ctx.redirect(returnUrl.href);
}

/** Answers with a page of the identity provider. */
export function sendHtml(ctx: KoaContextWithOIDC, content: string): void {
  ctx.type = 'html';
  ctx.set('content-security-policy', contentSecurityPolicy);
  ctx.body = content;
}
