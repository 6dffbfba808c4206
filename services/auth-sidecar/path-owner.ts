import type { SidecarSettings } from './config/settings.js';
import { isOtherSpelling, isWithin, type RequestTarget } from './http/request-target.js';

/** The path of protected-resource metadata (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource';

/** The path of checks by other proxies, below the prefix. */
const checkPath = '/check';

/**
 * The owner of a path: `own` is answered by the sign-in layer itself, `misspelt` is another
 * spelling of its own paths and never forwarded, all others are the app's.
 */
export function pathOwner(
  target: RequestTarget,
  { prefix, logoutPath, enabled }: Pick<SidecarSettings, 'prefix' | 'logoutPath' | 'enabled'>,
): 'own' | 'misspelt' | 'app' {
  const { path } = target;
  if (isWithin(path, prefix)) return 'own';
  if (isOtherSpelling(target, prefix)) return 'misspelt';
  if (!enabled) return 'app';
  if (logoutPath !== undefined && path === logoutPath) return 'own';
  return isWithin(path, metadataPath) ? 'own' : 'app';
}

/** Whether a path is that of checks, by which other proxies ask about requests that they hold. */
export function isForwardAuthPath({ path }: RequestTarget, prefix: string): boolean {
  return path.startsWith(prefix) && isWithin(path, checkPath, prefix.length);
}

/** The path that follows that of the check, with its query: `{prefix}/check/the/path`. */
export function pathAfterCheck({ raw, path }: RequestTarget, prefix: string): string | undefined {
  const end = prefix.length + checkPath.length;
  return path.length > end ? raw.slice(end) : undefined;
}
