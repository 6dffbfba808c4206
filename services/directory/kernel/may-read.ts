import { hasPermission } from '../authorization/access.js';
import { hidesMembership } from '../groups/kinds.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Body } from '../store/objects.js';

/** Whether a caller may see more of an object than its id, outside of the lists of its own type. */
export function mayRead({ caller, directory }: DirectoryRequest, { type, body }: { type: string; body: Body | string }): boolean {
  if (caller.kind === 'anyone') return true;
  if (!hasPermission(caller, ...directory.types.get(type).readPermissions)) return false;
  return !caller.guest || type !== 'group' || !hidesMembership(typeof body === 'string' ? (JSON.parse(body) as Body) : body);
}
