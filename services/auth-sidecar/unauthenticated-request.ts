import type { SidecarSettings } from './config/settings.js';
import { longestExcludedPath, type RequestTarget } from './http/request-target.js';

/**
 * Why a request without a session reaches the app: by the action for unauthenticated requests, or by
 * an excluded path; undefined if it does not.
 */
export function publicReason(
  target: RequestTarget,
  { unauthenticated, excludedPaths }: Pick<SidecarSettings, 'unauthenticated' | 'excludedPaths'>,
): 'action' | 'path' | undefined {
  if (unauthenticated === 'anonymous') return 'action';
  return longestExcludedPath(target, excludedPaths) === undefined ? undefined : 'path';
}

/** The answer to a request without a session that does not reach the app. */
export type Challenge =
  /** An error answer, which begins no sign-in. */
  | { readonly kind: 'status'; readonly status: 401 | 403 }
  /** The page that lists the providers. */
  | { readonly kind: 'choice'; readonly status: 401 }
  /**
   * Leads to the sign-in of the provider with this key: by a redirect (302), or by a page (401)
   * that keeps the fragment of the address.
   */
  | { readonly kind: 'login'; readonly status: 302 | 401; readonly provider: string };

/**
 * The configured answer to a request without a session.
 *
 * @param isNavigation whether the request is a browser's navigation, which can be redirected to a
 *   sign-in.
 */
export function challengeOf(
  settings: Pick<SidecarSettings, 'unauthenticated' | 'redirectToProvider' | 'preserveFragments'>,
  isNavigation: boolean,
): Challenge {
  if (settings.unauthenticated === 'return403') return { kind: 'status', status: 403 };
  if (settings.unauthenticated === 'return401' || !isNavigation)
    return { kind: 'status', status: 401 };
  if (settings.redirectToProvider === undefined) return { kind: 'choice', status: 401 };
  return {
    kind: 'login',
    status: settings.preserveFragments ? 401 : 302,
    provider: settings.redirectToProvider,
  };
}
