import { CastellanError } from '../../core/errors/castellan-error.js';
import { groupLifecyclePolicy } from '../../kinds/group/lifecycle-policy.js';
import type { GroupLifecyclePolicyDeclaration } from '../generated/props.js';
import { Construct, type TerraformProvider, TerraformStack } from '../internal/cdktf.js';
import { checkStackSetting } from '../internal/check-construct.js';
import { isValidationSkipped } from '../internal/cloud-settings.js';
import { callerLocation } from '../internal/caller-location.js';
import { toOwnBindingConfig } from '../internal/binding-config.js';
import {
  applyMetaArguments,
  type MetaArguments,
  providerFor,
  splitMetaArguments,
} from '../internal/meta-arguments.js';
import { nodesInStack } from '../internal/stack-nodes.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import { requireProviders } from '../internal/providers.js';
import {
  CastellanGroupLifecyclePolicy,
  type CastellanGroupLifecyclePolicyConfig,
} from '../generated/lib/castellan/group-lifecycle-policy.js';
import { type IGroup, objectIdsOf } from './references.js';

/** The properties of the expiration policy. */
export interface GroupLifecyclePolicyProps extends GroupLifecyclePolicyDeclaration, MetaArguments {
  /**
   * The groups that expire, with `managedGroupTypes: 'Selected'`: unified groups, or their object
   * ids.
   */
  readonly groups?: readonly (IGroup | string)[] | undefined;
}

/**
 * The expiration policy of the tenant's unified groups: they are deleted unless renewed. A tenant
 * has one such policy, and so has a stack, unless it has providers of several tenants.
 *
 * @throws CAS2001 when the policy violates a limit, or the stack has one already.
 *
 * @example
 * new GroupLifecyclePolicy(this, 'expiration', { groupLifetimeInDays: 365, managedGroupTypes: 'Selected', groups: [shoppers] });
 */
export class GroupLifecyclePolicy extends Construct {
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: CastellanGroupLifecyclePolicy;

  constructor(scope: Construct, id: string, given: GroupLifecyclePolicyProps) {
    super(scope, id);
    const props = withTypedTokens(this, 'groupLifecyclePolicy', given);
    const [meta, { groups, ...declared }] = splitMetaArguments(props);
    const provider = providerFor('castellan', meta.provider);
    this.#requireOnlyOne(provider);
    if (!isValidationSkipped(this))
      checkStackSetting('groupLifecyclePolicy', declared, {
        constructPath: this.node.path,
        location: callerLocation(new.target as never),
      });
    requireProviders(this, { castellan: provider });
    this.resource = new CastellanGroupLifecyclePolicy(this, 'Default', {
      ...toOwnBindingConfig<CastellanGroupLifecyclePolicyConfig>(
        groupLifecyclePolicy,
        'castellan_group_lifecycle_policy',
        declared,
      ),
      groupObjectIds: props.managedGroupTypes === 'Selected' ? objectIdsOf(groups) : undefined,
    });
    applyMetaArguments(this.resource, meta);
  }

  #requireOnlyOne(provider: TerraformProvider | undefined): void {
    const other = nodesInStack(TerraformStack.of(this))
      .filter((each) => each instanceof CastellanGroupLifecyclePolicy)
      .find((each) => each.provider === provider);
    if (other !== undefined)
      throw new CastellanError(
        'CAS2001',
        `${this.node.path} is a second expiration policy beside ${other.node.path}, and a tenant has one: keep one of them, or give each the provider of its tenant`,
      );
  }
}
