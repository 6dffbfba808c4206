import type { DirectoryObject, Group } from '../../../clients/directory/index.js';
import type { PrincipalProps } from '../../../kinds/principal/principal.js';
import { typeOf } from '../directory/groups.js';
import { declareGroup } from './declared-group.js';
import type { DeclaredGroup, ExistingGroup } from './declared-group.js';
import { DeclaredNames } from './names.js';

/** A configuration of groups that exist, with the names of each. */
export interface AdoptedStack {
  readonly version: 1;
  readonly stack: string;
  readonly principals?: Readonly<Record<string, PrincipalProps>>;
  readonly groups: Readonly<Record<string, DeclaredGroup>>;
}

/** Declares groups that exist. Anyone who owns them, belongs to them or may send to them is declared as a principal, each once. */
export function adoptGroups(stack: string, existing: readonly ExistingGroup[]): AdoptedStack {
  const names = new DeclaredNames();
  const adopted = new Map(existing.map(({ group }) => [group.id, names.nameOf(group.id, group.mailNickname, group.displayName)]));
  const principals: Record<string, PrincipalProps> = {};
  const nameOf = (object: DirectoryObject): string => {
    const own = adopted.get(object.id);
    if (own !== undefined) return own;
    const { userPrincipalName } = object as { readonly userPrincipalName?: string };
    const name = names.nameOf(object.id, userPrincipalName?.split('@')[0], object.displayName, typeOf(object));
    principals[name] ??= principalOf(object, userPrincipalName);
    return name;
  };
  const groups: Record<string, DeclaredGroup> = {};
  for (const each of existing) groups[adopted.get(each.group.id) ?? each.group.id] = declareGroup(each, nameOf);
  return { version: 1, stack, ...(Object.keys(principals).length > 0 ? { principals } : {}), groups };
}

function principalOf(object: DirectoryObject, userPrincipalName: string | undefined): PrincipalProps {
  switch (typeOf(object)) {
    case 'user':
      return { user: userPrincipalName ?? object.id };
    case 'servicePrincipal':
      return { servicePrincipal: object.id };
    case 'device':
      return { device: object.id };
    case 'group':
      return { group: object.id, groupKind: (object as Group).groupTypes?.includes('Unified') ? 'unified' : 'security' };
    default:
      return { contact: object.id };
  }
}
