import type { GroupLifecyclePolicyDeclaration } from '../generated/declarations.js';
import { CastellanGroupLifecyclePolicy } from '../internal/castellan.js';
import { Construct } from '../internal/cdktf.js';
import { literalText } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import type { Group } from './group.js';
import { objectIdsOf } from './reference.js';

/** Everything that may be declared of the expiration policy. */
export interface GroupLifecyclePolicyProps extends GroupLifecyclePolicyDeclaration {
  /** The groups that expire, for `managedGroupTypes: 'Selected'`: unified groups, or their object ids. */
  readonly groups?: readonly (Group | string)[];
}

/** When the tenant's unified groups expire unless someone renews them. A tenant has one such policy. */
export class GroupLifecyclePolicy extends Construct {
  /** The Terraform resource, for what these props don't say. */
  readonly resource: CastellanGroupLifecyclePolicy;

  constructor(scope: Construct, id: string, props: GroupLifecyclePolicyProps) {
    super(scope, id);
    requireProvider(this, 'castellan');
    this.resource = new CastellanGroupLifecyclePolicy(this, 'Default', {
      groupLifetimeInDays: props.groupLifetimeInDays,
      managedGroupTypes: props.managedGroupTypes,
      alternateNotificationEmails: props.alternateNotificationEmails?.map(literalText),
      groupObjectIds: props.managedGroupTypes === 'Selected' ? objectIdsOf(props.groups) : undefined,
    });
  }
}
