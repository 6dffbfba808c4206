import type { ScrubbedHeaders } from './request-headers.js';

/** Whether a request accepts HTML, as a person's does; programs get JSON. */
export function wantsHtml(headers: { readonly accept?: string | undefined } | undefined): boolean {
  return (
    headers?.accept !== undefined &&
    /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(headers.accept)
  );
}

/**
 * Whether a request is a browser's navigation, which may be redirected to a sign-in page. Scripts,
 * native apps and other programs get 401, since they could not use the page.
 */
export function isNavigation(method: string, headers: ScrubbedHeaders): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers.requestedWith !== undefined) return false;
  if (headers.fetchMode !== undefined)
    return headers.fetchMode === 'navigate' && (headers.fetchDest ?? 'document') === 'document';
  if (wantsHtml(headers)) return true;
  return (
    isBrowser(headers) &&
    (headers.accept === undefined || /\*\/\*/.test(headers.accept)) &&
    headers.origin === undefined
  );
}

/** Whether a request comes from a browser, by its headers. */
export function isBrowser(headers: ScrubbedHeaders): boolean {
  return (
    /^(Mozilla|Opera)\//.test(headers.userAgent ?? '') ||
    headers.fetchSite !== undefined ||
    headers.fetchMode !== undefined
  );
}
