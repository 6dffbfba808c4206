import type { SidecarSettings } from './config/settings.js';
import { excludedBy, isOtherSpelling, type RequestTarget } from './http/request-target.js';

/** RFC 9728. */
export const metadataPath = '/.well-known/oauth-protected-resource';

/** The settings that decide the answer to a request for the app. */
export type EntranceSettings = Pick<
  SidecarSettings,
  | 'enabled'
  | 'prefix'
  | 'logoutPath'
  | 'unauthenticated'
  | 'excludedPaths'
  | 'redirectTo'
  | 'preserveFragments'
>;

/**
 * The owner of a path: `own` is answered by the sign-in layer itself, `misspelt` is another
 * spelling of its own paths and never forwarded, all others are the app's.
 */
export function ownerOf(
  target: RequestTarget,
  { prefix, logoutPath, enabled }: EntranceSettings,
): 'own' | 'misspelt' | 'app' {
  const { path } = target;
  if (path === prefix || path.startsWith(`${prefix}/`)) return 'own';
  if (isOtherSpelling(target, prefix)) return 'misspelt';
  if (!enabled) return 'app';
  if (logoutPath !== undefined && path === logoutPath) return 'own';
  return path === metadataPath || path.startsWith(`${metadataPath}/`) ? 'own' : 'app';
}

/** Whether another proxy asks about a request that it holds. */
export function isCheckPath({ path }: RequestTarget, prefix: string): boolean {
  return path === `${prefix}/check` || path.startsWith(`${prefix}/check/`);
}

/** Why a request without a session reaches the app; undefined if it does not. */
export function publicReason(
  target: RequestTarget,
  { unauthenticated, excludedPaths }: EntranceSettings,
): 'action' | 'path' | undefined {
  if (unauthenticated === 'anonymous') return 'action';
  return excludedBy(target, excludedPaths) === undefined ? undefined : 'path';
}

/** The answer to a request without a session that does not reach the app. */
export type Challenge =
  | { readonly kind: 'status'; readonly status: 401 | 403 }
  /** The page that lists the providers. */
  | { readonly kind: 'choice'; readonly status: 401 }
  /**
   * Redirects to the sign-in of a provider, or by a page that keeps the fragment of the address.
   */
  | { readonly kind: 'login'; readonly status: 302 | 401; readonly provider: string };

/**
 * @param navigates whether the request is a browser's navigation, which can be redirected to a
 *   sign-in.
 */
export function challengeOf(settings: EntranceSettings, navigates: boolean): Challenge {
  if (settings.unauthenticated === 'return403') return { kind: 'status', status: 403 };
  if (settings.unauthenticated === 'return401' || !navigates)
    return { kind: 'status', status: 401 };
  if (settings.redirectTo === undefined) return { kind: 'choice', status: 401 };
  return {
    kind: 'login',
    status: settings.preserveFragments ? 401 : 302,
    provider: settings.redirectTo,
  };
}
