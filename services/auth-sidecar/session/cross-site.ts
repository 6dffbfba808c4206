import type { AllowedRedirect } from '../config/settings.js';
import { isBrowser } from '../http/browser-request.js';
import type { PublicOrigin } from '../http/origin.js';
import type { ScrubbedHeaders } from '../http/request-headers.js';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Protects cookie sessions from requests that pages of other sites make a browser send (CSRF). */
export class CrossSiteGuard {
  private readonly trustedOrigins: ReadonlySet<string>;
  private readonly redirectOrigins: ReadonlySet<string>;

  constructor(origins: readonly PublicOrigin[], redirects: readonly AllowedRedirect[]) {
    this.redirectOrigins = new Set(redirects.map(({ base }) => base));
    this.trustedOrigins = new Set([
      ...origins.map(({ serialized: origin }) => origin),
      ...this.redirectOrigins,
    ]);
  }

  /**
   * Whether a request with a cookie session must be refused: another site made the browser send it,
   * or may have.
   */
  forbids(method: string, headers: ScrubbedHeaders): boolean {
    if (safeMethods.has(method)) return false;
    const { origin, referer, fetchSite } = headers;
    if (origin !== undefined && !this.trustedOrigins.has(origin.toLowerCase())) return true;
    if (referer !== undefined && !this.isTrustedReferer(referer)) return true;
    const source = origin?.toLowerCase() ?? originOf(referer);
    if (fetchSite === 'cross-site' && (source === undefined || !this.redirectOrigins.has(source)))
      return true;
    return origin === undefined && referer === undefined && isBrowser(headers);
  }

  /**
   * Whether a WebSocket with a cookie session must be refused: browsers always name the page's
   * origin.
   */
  forbidsWebSocket(headers: ScrubbedHeaders): boolean {
    if (headers.origin !== undefined) return !this.trustedOrigins.has(headers.origin.toLowerCase());
    return headers.fetchSite === 'cross-site' || isBrowser(headers);
  }

  /**
   * Whether a page of another site sends the request (by fetch, frame or form): it must not read or
   * renew anything.
   */
  isFromOtherSite(headers: ScrubbedHeaders): boolean {
    if (headers.fetchSite === 'cross-site' || headers.fetchSite === 'same-site')
      return headers.origin === undefined || !this.trustedOrigins.has(headers.origin.toLowerCase());
    return headers.origin !== undefined && !this.trustedOrigins.has(headers.origin.toLowerCase());
  }

  private isTrustedReferer(referer: string): boolean {
    const source = originOf(referer);
    return source !== undefined && this.trustedOrigins.has(source);
  }
}

function originOf(referer: string | undefined): string | undefined {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}
