import type { Call } from '../http/call.js';
import { Problem } from '../http/problem.js';

/** What a request needs: to read or to write, items of a type or what surrounds them (workspaces, folders, roles, capacities). */
export interface Need {
  readonly to: 'read' | 'write';
  readonly type?: string;
}

/**
 * Asks for a delegated permission: `{Type}.ReadWrite.All` or `Item.ReadWrite.All` to write, `.Read.All` as well to read. What
 * surrounds items is open to everyone who may work with any of it; what belongs to the tenant (`Tenant`) needs its own permission. Application tokens are judged by workspace role, and by scopes only
 * where they carry any; the cloud's own tools come with `user_impersonation`, which counts as all of them.
 *
 * @throws Problem 403 `InsufficientScopes`.
 */
export function requireScope(call: Call, { to, type }: Need): void {
  const { caller, runtime } = call;
  if (caller.kind === 'anyone' || (caller.kind === 'application' && caller.scopes.size === 0)) return;
  if (runtime.dialect === 'azure' && caller.scopes.has('user_impersonation')) return;
  const levels = to === 'write' ? ['ReadWrite'] : ['Read', 'ReadWrite'];
  const kinds = type === undefined ? ['Workspace', 'Item', 'Eventhouse', 'Eventstream'] : type === 'Tenant' ? [type] : [type, 'Item'];
  const enough = kinds.flatMap((kind) => levels.map((level) => `${kind}.${level}.All`));
  if (enough.some((scope) => caller.scopes.has(scope))) return;
  throw new Problem('InsufficientScopes', `The token has none of the scopes ${enough.join(', ')}.`);
}
