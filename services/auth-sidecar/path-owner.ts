import type { SidecarSettings } from './config/settings.js';
import { isOtherSpelling, isWithin, type RequestTarget } from './http/request-target.js';

/** The path of protected-resource metadata (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource';

/** The path of checks by other proxies, below the API prefix. */
const checkPath = '/check';

/**
 * The owner of a path: `sidecar` is answered by the sign-in layer itself, `misspelt` is another
 * spelling of the sidecar's paths and never forwarded, all others are the app's. Where the sign-in
 * layer is not enabled, only the paths below its prefix stay its own.
 */
export function pathOwner(
  target: RequestTarget,
  { apiPrefix, logoutPath, enabled }: Pick<SidecarSettings, 'apiPrefix' | 'logoutPath' | 'enabled'>,
): 'sidecar' | 'misspelt' | 'app' {
  const { path } = target;
  if (isWithin(path, apiPrefix)) return 'sidecar';
  if (isOtherSpelling(target, apiPrefix)) return 'misspelt';
  if (!enabled) return 'app';
  if (logoutPath !== undefined && path === logoutPath) return 'sidecar';
  return isWithin(path, metadataPath) ? 'sidecar' : 'app';
}

/** Whether a path is that of checks, by which other proxies ask about requests that they hold. */
export function isForwardAuthPath({ path }: RequestTarget, apiPrefix: string): boolean {
  return path.startsWith(apiPrefix) && isWithin(path, checkPath, apiPrefix.length);
}

/** The path that follows that of the check, with its query: `{apiPrefix}/check/the/path`. */
export function pathAfterCheck(
  { raw, path }: RequestTarget,
  apiPrefix: string,
): string | undefined {
  const end = apiPrefix.length + checkPath.length;
  return path.length > end ? raw.slice(end) : undefined;
}
