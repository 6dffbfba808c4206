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
  const title = titles[status] ?? 'This did not work';
  const facts = `<p class="facts"><small>${status} &middot; request ${escapeHtml(requestId)}</small></p>`;
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p>${buttons(links)}${facts}`);
}

/** The page that lists the providers. @param host what is signed in to */
export function signInPage(host: string, links: readonly PageLink[]): Page {
  const choice =
    links.length === 0 ? '<p>No identity provider is set up for this app.</p>' : `<p>Choose how to sign in.</p>${buttons(links)}`;
  return page('Sign in', `<p class="host">${escapeHtml(host)}</p><h1>Sign in</h1>${choice}`);
}

/** The page after signing out. */
export function signedOutPage(host: string): Page {
  const back = buttons([{ label: 'Back to the app', href: '/' }]);
  return page(
    'You are signed out',
    `<p class="host">${escapeHtml(host)}</p><h1>You are signed out</h1><p>The app will ask who you are the next time.</p>${back}`,
  );
}

/**
 * The page that takes the URL's fragment, which browsers keep to themselves, along through the sign-in.
 *
 * @param loginUrl with `post_login_redirect_uri` as its last parameter.
 */
export function fragmentPage(loginUrl: string): Page {
  const script = `var a=document.querySelector('a.button');var h=location.hash;location.replace(a.getAttribute('href')+(h?encodeURIComponent(h):''));`;
  const go = buttons([{ label: 'Continue', href: loginUrl }]);
  return page('Sign in', `<h1>Sign in</h1><p>You are being taken to the sign-in page.</p>${go}`, script);
}

function buttons(links: readonly PageLink[]): string {
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, href }) => `<li><a class="button" rel="nofollow" href="${escapeHtml(href)}">${escapeHtml(label)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}
