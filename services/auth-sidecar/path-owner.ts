import type { SidecarSettings } from './config/settings.js';
import { isOtherSpelling, type RequestTarget } from './http/request-target.js';

/** RFC 9728. */
export const metadataPath = '/.well-known/oauth-protected-resource';

/**
 * The owner of a path: `own` is answered by the sign-in layer itself, `misspelt` is another
 * spelling of its own paths and never forwarded, all others are the app's.
 */
export function pathOwner(
  target: RequestTarget,
  { prefix, logoutPath, enabled }: Pick<SidecarSettings, 'prefix' | 'logoutPath' | 'enabled'>,
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
