import type { AllowedRedirect } from '../config/settings.js';
import { isBrowser } from '../http/browser-request.js';
import type { PublicOrigin } from '../http/origin.js';
import type { ScrubbedHeaders } from '../http/request-headers.js';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whose requests may use a cookie session for a change. */
export class CrossSiteGuard {
  private readonly friends: ReadonlySet<string>;
  private readonly externals: ReadonlySet<string>;

  constructor(origins: readonly PublicOrigin[], redirects: readonly AllowedRedirect[]) {
    this.externals = new Set(redirects.map(({ base }) => base));
    this.friends = new Set([...origins.map(({ origin }) => origin), ...this.externals]);
  }

  /**
   * Whether a request with a cookie session must be refused: another site made the browser send it,
   * or may have.
   */
  forbids(method: string, headers: ScrubbedHeaders): boolean {
    if (safe.has(method)) return false;
    const { origin, referer, fetchSite } = headers;
    if (origin !== undefined && !this.friends.has(origin.toLowerCase())) return true;
    if (referer !== undefined && !this.isFriendly(referer)) return true;
    const source = origin?.toLowerCase() ?? originOf(referer);
    if (fetchSite === 'cross-site' && (source === undefined || !this.externals.has(source)))
      return true;
    return origin === undefined && referer === undefined && isBrowser(headers);
  }

  /**
   * Whether a WebSocket with a cookie session must be refused: browsers always name the page's
   * origin.
   */
  forbidsWebSocket(headers: ScrubbedHeaders): boolean {
    if (headers.origin !== undefined) return !this.friends.has(headers.origin.toLowerCase());
    return headers.fetchSite === 'cross-site' || isBrowser(headers);
  }

  /**
   * Whether a page of another site sends the request (by fetch, frame or form): it must not read or
   * renew anything.
   */
  isForeign(headers: ScrubbedHeaders): boolean {
    if (headers.fetchSite === 'cross-site' || headers.fetchSite === 'same-site')
      return headers.origin === undefined || !this.friends.has(headers.origin.toLowerCase());
    return headers.origin !== undefined && !this.friends.has(headers.origin.toLowerCase());
  }

  private isFriendly(referer: string): boolean {
    const source = originOf(referer);
    return source !== undefined && this.friends.has(source);
  }
}

function originOf(referer: string | undefined): string | undefined {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}
