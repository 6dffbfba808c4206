import { Group as AzureadGroup, type GroupConfig } from '@cdktf/provider-azuread/lib/group';
import { GroupWithoutMembers as AzureadGroupWithoutMembers } from '@cdktf/provider-azuread/lib/group-without-members';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { literalText, literalData } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import { caller, type DirectoryObject, objectIdsOf, type Principal } from './principal.js';
import type { GroupDeclaration } from '../generated/props.js';
import { group } from '../../kinds/group/group.js';
import { attributesOf, bindingOf } from '../internal/declared-attributes.js';
import { UnboundResource } from '../internal/unbound-resource.js';

/**
 * A directory group of either kind; {@link SecurityGroup} and {@link UnifiedGroup} have the kind in
 * their names.
 *
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/directory-rules.md, "Group
 *   properties"
 *
 * @example
 * const shoppers = new Group(this, 'shoppers', { kind: 'security', displayName: 'Shoppers', owners: [ada, grace] });
 */
export class Group extends CastellanConstruct {
  /** The kind of group. */
  readonly kind: 'security' | 'unified';
  /** Whether the group controls access, so that tokens may name it as a security group. */
  readonly securityEnabled: boolean;
  /** The object id in the directory, known after apply. */
  readonly objectId: string;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: AzureadGroup | AzureadGroupWithoutMembers;

  constructor(scope: Construct, id: string, props: GroupProps) {
    super(scope, id, 'groups', props);
    requireProvider(this, 'azuread');
    this.kind = kindOf(props);
    this.securityEnabled = props.securityEnabled ?? this.kind === 'security';
    const config = this.configOf(props);
    // the same type for all properties: a group that changes its type is replaced, and all access
    // granted to it is lost
    this.resource = this.withDeclaredName(
      props.membersManagedElsewhere === true
        ? new AzureadGroupWithoutMembers(this, 'Default', config)
        : new AzureadGroup(this, 'Default', {
            ...config,
            members: isDynamic(props) ? undefined : objectIdsOf(props.members),
          }),
    );
    this.objectId = this.resource.objectId;
    const extras = createGroupExtras(this, this.objectId, props);
    if (extras !== undefined) this.withDeclaredName(extras);
  }

  private configOf(props: GroupProps): Omit<GroupConfig, 'members'> {
    const rule = props.dynamicMembership?.rule ?? props.membershipRule;
    const processing =
      props.dynamicMembership?.processing ?? props.membershipRuleProcessingState ?? 'On';
    // role-assignable groups are always private
    const visibility =
      props.visibility ?? (props.isAssignableToRole === true ? 'Private' : undefined);
    return {
      ...bindingOf<Pick<GroupConfig, 'displayName'>>(group.properties, 'azuread_group', {
        ...props,
        visibility,
        groupTypes: [],
      }),
      // without one, the provider waits two minutes for a unified group's description to appear
      description: literalText(props.description ?? props.displayName),
      mailEnabled: props.mailEnabled ?? this.kind === 'unified',
      mailNickname: literalText(props.mailNickname ?? this.node.id),
      securityEnabled: this.securityEnabled,
      types: typesOf(this.kind, rule),
      owners:
        props.ownersManagedElsewhere === true
          ? undefined
          : (objectIdsOf(props.owners) ?? [caller(this).objectId]),
      dynamicMembership:
        rule === undefined ? undefined : { enabled: processing === 'On', rule: literalText(rule) },
    };
  }
}

function kindOf({ kind, groupTypes }: GroupProps): 'security' | 'unified' {
  return kind ?? (groupTypes?.includes('Unified') === true ? 'unified' : 'security');
}

function isDynamic(props: GroupProps): boolean {
  return props.dynamicMembership !== undefined || props.membershipRule !== undefined;
}

function typesOf(kind: 'security' | 'unified', rule: string | undefined): string[] | undefined {
  const types = [
    ...(kind === 'unified' ? ['Unified'] : []),
    ...(rule === undefined ? [] : ['DynamicMembership']),
  ];
  return types.length === 0 ? undefined : types;
}

/** A group of the stack. */
interface GroupReference extends DirectoryObject {
  /** The kind of group. */
  readonly kind: 'security' | 'unified';
}

/** A possible owner of a group: a principal, or an object id. */
export type OwnerReference = Principal | string;
/** A possible member of a group: a principal, another group, or an object id. */
export type MemberReference = Principal | GroupReference | string;

/** The properties of a group of either kind. */
export interface GroupProps extends Omit<
  GroupDeclaration,
  'owners' | 'members' | 'acceptedSenders' | 'rejectedSenders'
> {
  /**
   * The owners of the group: users and service principals. Two are recommended, at most 100.
   *
   * @default the account that applies the stack.
   */
  readonly owners?: readonly OwnerReference[];
  /** The members of the group. @default members are left as they are. */
  readonly members?: readonly MemberReference[];
  /** If there are any, only these may post. */
  readonly acceptedSenders?: readonly MemberReference[];
  /** These may not post. */
  readonly rejectedSenders?: readonly MemberReference[];
}

/** The properties of a security group; the kind sets types and flags. */
export type SecurityGroupProps = Omit<
  GroupProps,
  UnifiedOnly | 'kind' | 'groupTypes' | 'mailEnabled' | 'securityEnabled'
>;

/** The properties of a unified group; the kind sets types and `mailEnabled`. */
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
  | 'expirationPolicy';

/**
 * Declares properties that the official provider lacks, with castellan's own provider: labels,
 * licences, senders, classification, language and location in one resource beside the group, and
 * one resource for each setting.
 *
 * @returns the resource of the properties, if needed.
 */
function createGroupExtras(
  scope: Construct,
  groupObjectId: string,
  props: GroupProps,
): UnboundResource | undefined {
  for (const [template, values] of Object.entries(props.settings ?? {}))
    createSettings(scope, groupObjectId, template, values);
  const acceptedSenders = objectIdsOf(props.acceptedSenders);
  const rejectedSenders = objectIdsOf(props.rejectedSenders);
  const properties = attributesOf(group, 'castellan_group_properties', {
    ...props,
    acceptedSenders,
    rejectedSenders,
  });
  if (Object.keys(properties).length === 0) return undefined;
  requireProvider(scope, 'castellan');
  return new UnboundResource(scope, 'properties', 'castellan_group_properties', {
    group_object_id: groupObjectId,
    ...properties,
  });
}

function createSettings(
  scope: Construct,
  groupObjectId: string,
  template: string,
  values: Readonly<Record<string, string | number | boolean>>,
): void {
  requireProvider(scope, 'castellan');
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, String(value)]),
  );
  const attributes = {
    group_object_id: groupObjectId,
    template: literalText(template),
    values: literalData(texts),
  };
  new UnboundResource(scope, `settings-${template}`, 'castellan_group_settings', attributes);
}
