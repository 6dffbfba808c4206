import { trimEnd } from '../../core/text/trim-end.js';
import { defaultApiPrefix } from '../../kinds/auth/path-pattern.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';

/** The path below which an app's sign-in layer answers: `routes.apiPrefix`, or `/.auth`. */
export function signInPrefixOf(auth: DeclaredApp['auth']): string {
  const http = auth?.['httpSettings'] as { routes?: { apiPrefix?: string } } | undefined;
  return trimEnd(http?.routes?.apiPrefix ?? defaultApiPrefix, '/');
}
