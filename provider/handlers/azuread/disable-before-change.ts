import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Application, AppRole, PermissionScope } from '../../../clients/directory/index.js';
import type { Api } from '../handler.js';

/** The planned roles and scopes. */
export interface Entitlements {
  /** Undefined if the change leaves them as they are. */
  readonly roles?: readonly AppRole[];
  /** Undefined if the change leaves them as they are. */
  readonly scopes?: readonly PermissionScope[];
}

/**
 * Disables the roles and scopes that will be removed or changed: the directory refuses changes of
 * enabled ones, so that no one loses a permission by mistake.
 */
export async function disableBeforeChange(
  api: Api,
  id: string,
  current: Application,
  target: Entitlements,
  signal: AbortSignal,
): Promise<void> {
  const roles = disableChanged(current.appRoles ?? [], target.roles);
  const scopes = disableChanged(current.api?.oauth2PermissionScopes ?? [], target.scopes);
  const changes = {
    ...omitUndefined({ appRoles: roles }),
    ...(scopes !== undefined && { api: { oauth2PermissionScopes: scopes } }),
  };
  if (Object.keys(changes).length > 0)
    await api.directory.applications.update(id, changes, { signal });
}

/** The list with changed entries disabled; undefined if there are none. */
function disableChanged<T extends { readonly id: string; readonly isEnabled: boolean }>(
  current: readonly T[],
  target: readonly T[] | undefined,
): readonly T[] | undefined {
  if (target === undefined) return undefined;
  let hasChanges = false;
  const list = current.map((each) => {
    const targetEntry = target.find(({ id }) => id === each.id);
    if (
      !each.isEnabled ||
      (targetEntry !== undefined &&
        JSON.stringify(comparableEntries(each)) === JSON.stringify(comparableEntries(targetEntry)))
    )
      return each;
    hasChanges = true;
    return { ...each, isEnabled: false };
  });
  return hasChanges ? list : undefined;
}

function comparableEntries(entry: object): unknown {
  return Object.entries(entry)
    .filter(([name, value]) => value !== '' && value !== null && name !== 'origin')
    .map(([name, value]) => [
      name,
      Array.isArray(value) ? [...(value as string[])].sort() : (value as unknown),
    ])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
