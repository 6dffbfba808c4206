import { say, words } from '../../../core/dialect/dialect.js';
import type { Call } from '../http/call.js';

/** The caller as a principal (items interface, "Principal"): what becomes an item's `defaultIdentity`. */
export async function creatorOf(call: Call): Promise<Record<string, unknown>> {
  const { caller, runtime } = call;
  if (caller.kind === 'anyone') {
    const id = '00000000-0000-0000-0000-000000000000';
    return { id, displayName: 'Anyone', type: 'User', userDetails: { userPrincipalName: 'anyone@localhost' } };
  }
  const id = caller.objectId.toLowerCase();
  const known = await runtime.db.selectFrom('items_principal').selectAll().where('id', '=', id).executeTakeFirst();
  const displayName = known?.display_name ?? caller.name ?? id;
  if (caller.kind === 'application') {
    const appId = caller.applicationId ?? known?.detail ?? '';
    return { id, displayName, type: 'ServicePrincipal', servicePrincipalDetails: { [say(words.principalAppId, runtime.dialect)]: appId } };
  }
  const userPrincipalName = known?.detail ?? (caller.name?.includes('@') === true ? caller.name : '');
  return { id, displayName, type: 'User', userDetails: { userPrincipalName } };
}
