import { CastellanError } from '../../core/errors/castellan-error.js';
import { isGuid } from '../../core/values/guid.js';
import { type IResolvable, Token } from '../internal/cdktf.js';

/** The kinds of principals that get roles and access. */
export type PrincipalType = 'User' | 'Group' | 'ServicePrincipal';

/** A principal of the directory: a user, a service principal or a group, of this stack or not. */
export interface IPrincipal {
  /** The object id in the directory. */
  readonly objectId: string;
  /** Its type, if known. @default that of the resource, for a resource of the plain bindings */
  readonly principalType?: PrincipalType | undefined;
}

/** A group of the directory, of this stack or not. */
export interface IGroup extends IPrincipal {
  /**
   * Whether the group controls access, so that tokens may name it as a security group. @default
   * false
   */
  readonly securityEnabled?: boolean | IResolvable | undefined;
}

/** The type of a principal: its own, or that of a resource of the plain bindings. */
export function principalTypeOf(principal: IPrincipal | string): PrincipalType | undefined {
  if (typeof principal === 'string') return undefined;
  const { principalType, terraformResourceType = '' } = principal as IPrincipal & {
    readonly terraformResourceType?: string;
  };
  return principalType ?? principalTypeByResource[terraformResourceType];
}

const principalTypeByResource: Readonly<Record<string, PrincipalType>> = {
  azuread_group: 'Group',
  azuread_group_without_members: 'Group',
  azuread_user: 'User',
  azuread_service_principal: 'ServicePrincipal',
};

/**
 * The object id of a reference: that of a construct, or a given object id in lower case.
 *
 * @throws CAS2003 when the text is not an object id: names must be looked up.
 */
export function objectIdOf(reference: IPrincipal | string): string {
  if (Token.isUnresolved(reference)) return Token.asString(reference);
  if (typeof reference !== 'string') return reference.objectId;
  refuseIndexedTokenList(reference);
  if (isGuid(reference)) return reference.toLowerCase();
  throw new CastellanError(
    'CAS2003',
    `${JSON.stringify(reference)} is not an object id; pass a user, service principal or group (User.fromPrincipalName looks a name up), or the object id itself`,
  );
}

/**
 * Refuses `list[0]` of a list that is known only at apply: cdktf would write the whole list.
 *
 * @throws CAS2003 when the reference is such an entry.
 */
export function refuseIndexedTokenList(reference: IPrincipal | string): void {
  if (typeof reference !== 'string') return;
  if (Token.isUnresolved(reference) || !Token.isUnresolved([reference])) return;
  throw new CastellanError(
    'CAS2003',
    'the entries of this list are known only at apply; take one with Fn.element(list, 0) instead of list[0]',
  );
}

/**
 * The object ids of a list of references; undefined for an empty list, for which the provider would
 * plan a change on every run.
 */
export function objectIdsOf(
  references: readonly (IPrincipal | string)[] | undefined,
): string[] | undefined {
  if (references === undefined || references.length === 0) return undefined;
  // a token may stand for the whole list
  return Token.isUnresolved(references) ? (references as string[]) : references.map(objectIdOf);
}
