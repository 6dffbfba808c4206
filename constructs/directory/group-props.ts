import type { GroupDeclaration } from '../generated/declarations.js';
import type { Principal } from './principal.js';
import type { DirectoryObject } from './reference.js';

/** A group of the stack. */
export interface GroupReference extends DirectoryObject {
  /** The kind of group. */
  readonly kind: 'security' | 'unified';
}

/** Who may own a group: a principal, or an object id. */
export type OwnerReference = Principal | string;
/** Who may belong to a group: a principal, another group, or an object id. */
export type MemberReference = Principal | GroupReference | string;

/** Everything that may be declared of a group of either kind. */
export interface GroupProps extends Omit<GroupDeclaration, 'owners' | 'members' | 'acceptedSenders' | 'rejectedSenders'> {
  /**
   * Who manages the group: users and service principals. Two are recommended, 100 at most.
   *
   * @default the account that applies the stack.
   */
  readonly owners?: readonly OwnerReference[];
  /** Who belongs to the group. @default members are left as they are. */
  readonly members?: readonly MemberReference[];
  /** Only these may post, if there are any. */
  readonly acceptedSenders?: readonly MemberReference[];
  /** These may not post. */
  readonly rejectedSenders?: readonly MemberReference[];
}

/** What may be declared of a security group: the kind decides types and flags. */
export type SecurityGroupProps = Omit<GroupProps, UnifiedOnly | 'kind' | 'groupTypes' | 'mailEnabled' | 'securityEnabled'>;

/** What may be declared of a unified group: the kind decides types and `mailEnabled`. */
export type UnifiedGroupProps = Omit<GroupProps, 'kind' | 'groupTypes' | 'mailEnabled'>;

type UnifiedOnly =
  | 'accessType'
  | 'allowExternalSenders'
  | 'autoSubscribeNewMembers'
  | 'hideFromAddressLists'
  | 'hideFromOutlookClients'
  | 'isSubscribedByMail'
  | 'isFavorite'
  | 'acceptedSenders'
  | 'rejectedSenders'
  | 'resourceBehaviorOptions'
  | 'resourceProvisioningOptions'
  | 'theme'
  | 'lifecycle';
