import type { GroupConfig } from '@cdktf/provider-azuread/lib/group';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { GroupWithoutMembers as AzureadGroupWithoutMembers } from '@cdktf/provider-azuread/lib/group-without-members';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { literalText, optionalText } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import { caller } from './caller.js';
import { createGroupExtras } from './group-extras.js';
import type { GroupProps } from './group-props.js';
import { objectIdsOf } from './reference.js';

/**
 * A group of the directory, of either kind; {@link SecurityGroup} and {@link UnifiedGroup} say the kind in their name.
 *
 * @see spec 001, "Group properties"
 */
export class Group extends CastellanConstruct {
  /** The kind of group. */
  readonly kind: 'security' | 'unified';
  /** Whether the group controls access, so that tokens may name it as a security group. */
  readonly securityEnabled: boolean;
  /** The object id in the directory, known after apply. */
  readonly objectId: string;
  /** The Terraform resource, for what these props don't say. */
  readonly resource: AzureadGroup | AzureadGroupWithoutMembers;

  constructor(scope: Construct, id: string, props: GroupProps) {
    super(scope, id, 'groups', props);
    requireProvider(this, 'azuread');
    this.kind = kindOf(props);
    this.securityEnabled = props.securityEnabled ?? this.kind === 'security';
    const config = this.configOf(props);
    // one type for good: a group that changes its type is replaced, and every access granted to it is lost
    this.resource = this.named(
      props.membersManagedElsewhere === true
        ? new AzureadGroupWithoutMembers(this, 'Default', config)
        : new AzureadGroup(this, 'Default', { ...config, members: isDynamic(props) ? undefined : objectIdsOf(props.members) }),
    );
    this.objectId = this.resource.objectId;
    const extras = createGroupExtras(this, this.objectId, props);
    if (extras !== undefined) this.named(extras);
  }

  private configOf(props: GroupProps): Omit<GroupConfig, 'members'> {
    const rule = props.dynamicMembership?.rule ?? props.membershipRule;
    const processing = props.dynamicMembership?.processing ?? props.membershipRuleProcessingState ?? 'On';
    return {
      displayName: literalText(props.displayName),
      // without one, the provider waits two minutes for a unified group's description to appear
      description: literalText(props.description ?? props.displayName),
      mailEnabled: props.mailEnabled ?? this.kind === 'unified',
      mailNickname: literalText(props.mailNickname ?? this.node.id),
      securityEnabled: this.securityEnabled,
      types: typesOf(this.kind, rule),
      visibility: visibilityOf(props),
      owners: props.ownersManagedElsewhere === true ? undefined : (objectIdsOf(props.owners) ?? [caller(this).objectId]),
      dynamicMembership: rule === undefined ? undefined : { enabled: processing === 'On', rule: literalText(rule) },
      assignableToRole: props.isAssignableToRole,
      behaviors: mutable(props.resourceBehaviorOptions),
      provisioningOptions: mutable(props.resourceProvisioningOptions),
      theme: optionalText(props.theme),
      externalSendersAllowed: props.allowExternalSenders,
      autoSubscribeNewMembers: props.autoSubscribeNewMembers,
      hideFromAddressLists: props.hideFromAddressLists,
      hideFromOutlookClients: props.hideFromOutlookClients,
      preventDuplicateNames: props.preventDuplicateNames,
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
  const types = [...(kind === 'unified' ? ['Unified'] : []), ...(rule === undefined ? [] : ['DynamicMembership'])];
  return types.length === 0 ? undefined : types;
}

/** The provider knows no other spelling of `HiddenMembership`; groups that can hold roles are private always. */
function visibilityOf({ visibility, isAssignableToRole }: GroupProps): string | undefined {
  if (visibility === 'HiddenMembership') return 'Hiddenmembership';
  return visibility ?? (isAssignableToRole === true ? 'Private' : undefined);
}

function mutable<Item>(items: readonly Item[] | undefined): Item[] | undefined {
  return items === undefined || items.length === 0 ? undefined : [...items];
}
