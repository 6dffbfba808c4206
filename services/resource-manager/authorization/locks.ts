import { conflict, invalidContent } from '../errors.js';
import { genericKind } from '../generic/generic-kind.js';
import { asObject, nonEmptyText } from '../json.js';
import type { ResourceKind } from '../kind.js';
import { resourceKey, type ResourceStore } from '../store.js';

const genericLock = genericKind('Microsoft.Authorization/locks');
const lockLevels = ['CanNotDelete', 'ReadOnly'];

/**
 * Management locks: they protect a scope and everything below it from deletion, or from any change.
 */
export const lock: ResourceKind = {
  ...genericLock,
  isProxyResource: true,
  prepareWrite(body, context) {
    const level = nonEmptyText(asObject(body['properties'])?.['level']);
    if (level === undefined || !lockLevels.includes(level))
      throw invalidContent(
        `'properties.level' is ${level === undefined ? 'missing' : `'${level}'`}: allowed are ${lockLevels.join(' and ')}.`,
      );
    return genericLock.prepareWrite(body, context);
  },
  presentProperties: ({ properties }) => properties,
};

/**
 * Refuses what a lock forbids. A deletion checks the locks above the scope and below it.
 *
 * @throws ArmError 409 naming the locked scopes.
 */
export async function requireUnlocked(
  store: ResourceStore,
  { id, type, subscription }: { id: string; type: string; subscription: string },
  operation: 'write' | 'delete',
): Promise<void> {
  if (equalsIgnoringCase(type, lock.type)) return;
  const lockedScopes = (await store.list({ subscription, type: lock.type }))
    .filter(({ properties }) => operation === 'delete' || properties['level'] === 'ReadOnly')
    .map((each) => each.id.replace(/\/providers\/[^/]+\/locks\/[^/]+$/i, ''))
    .filter((scope) => isWithin(id, scope) || (operation === 'delete' && isWithin(scope, id)));
  if (lockedScopes.length === 0) return;
  const quotedScopes = [...new Set(lockedScopes)].map((scope) => `'${scope}'`).join(',');
  throw conflict(
    'ScopeLocked',
    `The scope '${id}' cannot perform ${operation} operation because following scope(s) are locked: ${quotedScopes}. Please remove the lock and try again.`,
  );
}

/** Whether an id is a scope or below it. */
export function isWithin(id: string, scope: string): boolean {
  return `${resourceKey(id)}/`.startsWith(scope === '/' ? scope : `${resourceKey(scope)}/`);
}

function equalsIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
