import { CheckedConstruct } from '../stack/checked-construct.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { Group as AzureadGroup, type GroupConfig } from '@cdktf/provider-azuread/lib/group';
import { GroupWithoutMembers as AzureadGroupWithoutMembers } from '@cdktf/provider-azuread/lib/group-without-members';
import type { Construct } from '../internal/cdktf.js';
import { escapeInterpolation, escapeInterpolationIn } from '../internal/interpolation.js';
import { nestedName } from '../internal/default-name.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import { currentClientConfig } from './client-config.js';
import {
  createAtCallSite,
  groupFromDisplayName,
  groupFromObjectId,
  type GroupLookupOptions,
} from './principals.js';
import { type IGroup, type IPrincipal, objectIdsOf, refuseIndexedTokenList } from './references.js';
import type { GroupDeclaration } from '../generated/props.js';
import { group } from '../../kinds/group/group.js';
import { toPrebuiltBindingConfig, toOwnBindingConfig } from '../internal/binding-config.js';
import {
  CastellanGroupProperties,
  type CastellanGroupPropertiesConfig,
} from '../generated/lib/castellan/group-properties.js';
import { CastellanGroupSettings } from '../generated/lib/castellan/group-settings.js';

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
export class Group extends CheckedConstruct implements IGroup {
  /** The type of the principal in role assignments. */
  readonly principalType = 'Group';
  /** The kind of group. */
  readonly kind: 'security' | 'unified';
  /** Whether the group controls access, so that tokens may name it as a security group. */
  readonly securityEnabled: boolean;
  /** The object id in the directory, known after apply. */
  readonly objectId: string;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: AzureadGroup | AzureadGroupWithoutMembers;
  #owners: readonly OwnerReference[] | undefined;
  #members: readonly MemberReference[] | undefined;

  /**
   * A group that exists already, by object id; nothing is looked up.
   *
   * @param options `kind`, if rules about members depend on it.
   * @throws CAS2003 when the text is not an object id.
   */
  static fromObjectId(
    scope: Construct,
    id: string,
    objectId: string,
    { kind }: Pick<GroupLookupOptions, 'kind'> = {},
  ): IGroup {
    return createAtCallSite(Group.fromObjectId, () => groupFromObjectId(scope, id, objectId, kind));
  }

  /**
   * A group that exists already, looked up by display name when the stack is planned.
   *
   * @example
   * const staff = Group.fromDisplayName(this, 'staff', 'Staff');
   */
  static fromDisplayName(
    scope: Construct,
    id: string,
    displayName: string,
    options: GroupLookupOptions = {},
  ): IGroup {
    return createAtCallSite(Group.fromDisplayName, () => {
      return groupFromDisplayName(scope, id, displayName, options);
    });
  }

  constructor(scope: Construct, id: string, declared: GroupProps) {
    const typedProps = withTypedTokens(scope, 'groups', declared, id);
    const mailNickname =
      typedProps.mailNickname ?? nestedName(scope, id, maxNicknameLength, typedProps);
    const props = mailNickname === undefined ? typedProps : { ...typedProps, mailNickname };
    super(scope, id, 'groups', props);
    this.requireProvider('azuread');
    this.kind = kindOf(props);
    const { securityEnabled = this.kind === 'security' } = props;
    this.securityEnabled = securityEnabled === true;
    const config = this.groupConfig(props);
    // no other property chooses the resource type: a change of type replaces the group, and all
    // access granted to it is lost
    this.resource = this.withLogicalIdOfConstruct(
      props.membersManagedElsewhere === true
        ? new AzureadGroupWithoutMembers(this, 'Default', config)
        : new AzureadGroup(this, 'Default', {
            ...config,
            members: isDynamic(props) ? undefined : objectIdsOf(props.members),
          }),
    );
    this.objectId = this.resource.objectId;
    this.#owners = props.ownersManagedElsewhere === true ? undefined : (props.owners ?? []);
    this.#members = managesMembers(props) ? (props.members ?? []) : undefined;
    this.#createAdditionalResources(props);
  }

  /**
   * Adds a member.
   *
   * @throws CAS2012 when the members follow from a rule or are managed elsewhere.
   */
  addMember(member: MemberReference): void {
    if (this.#members === undefined || !(this.resource instanceof AzureadGroup))
      throw new CastellanError(
        'CAS2012',
        `${this.node.path}: the members of the group follow from a rule or are managed elsewhere`,
      );
    refuseIndexedTokenList(member);
    this.#members = [...this.#members, member];
    this.declare({ members: this.#members });
    this.resource.members = objectIdsOf(this.#members) ?? [];
    this.snapshotAttributes(this.resource);
  }

  /**
   * Adds an owner. The first one takes the place of the account that applies the stack.
   *
   * @throws CAS2012 when the owners are managed elsewhere.
   */
  addOwner(owner: OwnerReference): void {
    if (this.#owners === undefined)
      throw new CastellanError(
        'CAS2012',
        `${this.node.path}: the owners of the group are managed elsewhere`,
      );
    refuseIndexedTokenList(owner);
    this.#owners = [...this.#owners, owner];
    this.declare({ owners: this.#owners });
    this.resource.owners = objectIdsOf(this.#owners) ?? [];
    this.snapshotAttributes(this.resource);
  }

  /**
   * Lets a user or a service principal manage the group: as an owner.
   *
   * @example
   * shoppers.grantOwner(ServicePrincipal.fromApplicationId(this, 'pipeline', '0b9d0c1e-1111-4222-8333-444455556666'));
   * @throws CAS2012 when the owners are managed elsewhere.
   */
  grantOwner(principal: IPrincipal): void {
    this.addOwner(principal);
  }

  private groupConfig(props: GroupProps): Omit<GroupConfig, 'members'> {
    const rule = props.dynamicMembership?.rule ?? props.membershipRule;
    const processing =
      props.dynamicMembership?.processing ?? props.membershipRuleProcessingState ?? 'On';
    // role-assignable groups are always private
    const visibility =
      props.visibility ?? (props.isAssignableToRole === true ? 'Private' : undefined);
    return {
      ...toPrebuiltBindingConfig<Pick<GroupConfig, 'displayName'>>(
        group.properties,
        'azuread_group',
        {
          ...props,
          visibility,
          groupTypes: [],
        },
      ),
      // without a description, the provider waits two minutes for that of a unified group to appear
      description: escapeInterpolation(props.description ?? props.displayName),
      mailEnabled: props.mailEnabled ?? this.kind === 'unified',
      mailNickname: escapeInterpolation(props.mailNickname ?? this.node.id),
      securityEnabled: props.securityEnabled ?? this.securityEnabled,
      types: groupTypesOf(this.kind, rule),
      owners:
        props.ownersManagedElsewhere === true
          ? undefined
          : (objectIdsOf(props.owners) ?? [
              currentClientConfig(this, this.givenProvider('azuread')).objectId,
            ]),
      dynamicMembership:
        rule === undefined
          ? undefined
          : { enabled: processing === 'On', rule: escapeInterpolation(rule) },
    };
  }

  /**
   * Declares properties that the official provider lacks, with castellan's own provider: labels,
   * licences, senders, classification, language and location in one resource beside the group, and
   * one resource for each setting.
   */
  #createAdditionalResources(props: GroupProps): void {
    for (const [template, values] of Object.entries(props.settings ?? {}))
      this.#createSettings(template, values);
    const properties = toOwnBindingConfig<CastellanGroupPropertiesConfig>(
      group,
      'castellan_group_properties',
      {
        ...props,
        acceptedSenders: objectIdsOf(props.acceptedSenders),
        rejectedSenders: objectIdsOf(props.rejectedSenders),
      },
    );
    if (Object.keys(properties).length === 0) return;
    this.requireProvider('castellan');
    this.withLogicalIdOfConstruct(
      new CastellanGroupProperties(this, 'properties', {
        ...properties,
        groupObjectId: this.objectId,
      }),
    );
  }

  #createSettings(template: string, values: NonNullable<GroupProps['settings']>[string]): void {
    this.requireProvider('castellan');
    const texts = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, String(value)]),
    );
    this.withLogicalIdOfPath(
      new CastellanGroupSettings(this, `settings-${template}`, {
        groupObjectId: this.objectId,
        template: escapeInterpolation(template),
        values: escapeInterpolationIn(texts),
      }),
    );
  }
}

const maxNicknameLength = group.properties.mailNickname.maxLength;

function kindOf({ kind, groupTypes }: GroupProps): 'security' | 'unified' {
  return kind ?? (groupTypes?.includes('Unified') === true ? 'unified' : 'security');
}

function isDynamic(props: GroupProps): boolean {
  return props.dynamicMembership !== undefined || props.membershipRule !== undefined;
}

function groupTypesOf(
  kind: 'security' | 'unified',
  rule: string | undefined,
): string[] | undefined {
  const types = [
    ...(kind === 'unified' ? ['Unified'] : []),
    ...(rule === undefined ? [] : ['DynamicMembership']),
  ];
  return types.length === 0 ? undefined : types;
}

function managesMembers(props: GroupProps): boolean {
  return props.membersManagedElsewhere !== true && !isDynamic(props);
}

/** A possible owner of a group: a user or service principal, or an object id. */
export type OwnerReference = IPrincipal | string;
/** A possible member of a group: a principal, another group, or an object id. */
export type MemberReference = IPrincipal | IGroup | string;

/** The properties of a group of either kind. */
export interface GroupProps
  extends
    Omit<GroupDeclaration, 'owners' | 'members' | 'acceptedSenders' | 'rejectedSenders'>,
    MetaArguments {
  /**
   * The owners of the group: users and service principals. Two are recommended, at most 100.
   *
   * @default the account that applies the stack.
   */
  readonly owners?: readonly OwnerReference[] | undefined;
  /** The members of the group. @default members are left as they are. */
  readonly members?: readonly MemberReference[] | undefined;
  /** The only senders who may post, if there are any. */
  readonly acceptedSenders?: readonly MemberReference[] | undefined;
  /** Senders who may not post. */
  readonly rejectedSenders?: readonly MemberReference[] | undefined;
}

/** The properties of a security group; the kind sets types and flags. */
export type SecurityGroupProps = Omit<
  GroupProps,
  UnifiedOnlyProperty | 'kind' | 'groupTypes' | 'mailEnabled' | 'securityEnabled'
>;

/** The properties of a unified group; the kind sets types and `mailEnabled`. */
export type UnifiedGroupProps = Omit<GroupProps, 'kind' | 'groupTypes' | 'mailEnabled'>;

type UnifiedOnlyProperty =
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
