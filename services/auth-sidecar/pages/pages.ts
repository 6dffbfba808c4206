import type { Page } from './html.js';
import { escapeHtml, page } from './html.js';

/** A link of a page. */
export interface PageLink {
  readonly label: string;
  readonly href: string;
}

const titles: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  401: 'Sign-in is needed',
  403: 'You have no access',
  404: 'Nothing is here',
  405: 'This is not the way to ask',
  421: 'Another host was meant',
  426: 'Another protocol is needed',
  502: 'The other side could not be reached',
  503: 'Not available right now',
  504: 'The other side took too long',
};

/** The page of an answer that isn't the app's. */
export function errorPage(status: number, message: string, requestId: string, links: readonly PageLink[] = []): Page {
  return page(
    titles[status] ?? 'This did not work',
    `<p>${escapeHtml(message)}</p>${buttons(links)}<p><small>${status} &middot; request ${escapeHtml(requestId)}</small></p>`,
  );
}

/** The page that lists the providers. */
export function signInPage(links: readonly PageLink[]): Page {
  return page(
    'Sign in',
    links.length === 0 ? '<p>No identity provider is set up for this app.</p>' : `<p>Choose how to sign in.</p>${buttons(links)}`,
  );
}

/** The page after signing out. */
export function signedOutPage(): Page {
  return page('You are signed out', `<p>You have been signed out of this app.</p>${buttons([{ label: 'Back to the app', href: '/' }])}`);
}

/**
 * The page that takes the URL's fragment, which browsers keep to themselves, along through the sign-in.
 *
 * @param loginUrl with `post_login_redirect_uri` as its last parameter.
 */
export function fragmentPage(loginUrl: string): Page {
  const script = `var a=document.querySelector('a.button');var h=location.hash;location.replace(a.getAttribute('href')+(h?encodeURIComponent(h):''));`;
  return page('Sign in', `<p>You are being taken to the sign-in page.</p>${buttons([{ label: 'Continue', href: loginUrl }])}`, script);
}

function buttons(links: readonly PageLink[]): string {
  return links.map(({ label, href }) => `<a class="button" rel="nofollow" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`).join('');
}
