import type { GroupLifecyclePolicyProperties, GroupProperties } from '../../generated/objects.js';
import type { DirectoryObject } from './directory-object.js';

/**
 * A group (Directory rules, "Group properties"). Properties that the page marks with `select` are
 * returned only when selected.
 */
export interface Group extends DirectoryObject, GroupProperties {
  readonly displayName: string;
  readonly assignedLabels?: readonly AssignedLabel[];
  readonly assignedLicenses?: readonly AssignedLicense[];
}

/** A sensitivity label of a group. */
export interface AssignedLabel {
  readonly labelId: string;
  readonly displayName?: string;
}

/** A licence of a group or user. */
export interface AssignedLicense {
  /** The id of a product that the tenant has licences for. */
  readonly skuId: string;
  /** The ids of those service plans of the product that are switched off. */
  readonly disabledPlans?: readonly string[];
}

/** The properties of a new group: the required four, and any other writable property. */
export type GroupDraft = Pick<
  Group,
  'displayName' | 'mailEnabled' | 'mailNickname' | 'securityEnabled'
> &
  Partial<Group> & {
    /** Addresses of directory objects, at most 20 with the members together. */
    readonly 'owners@odata.bind'?: readonly string[];
    readonly 'members@odata.bind'?: readonly string[];
  };

/** A group setting: all values of a template, as text. */
export interface GroupSetting {
  readonly id: string;
  readonly displayName?: string;
  readonly templateId: string;
  readonly values: readonly { readonly name: string; readonly value: string }[];
}

/** A template of group settings. */
export interface GroupSettingTemplate {
  readonly id: string;
  readonly displayName: string;
  readonly description?: string;
  readonly values: readonly {
    readonly name: string;
    /** `System.Boolean`, `System.String` or `System.Guid`; values are texts of it. */
    readonly type: string;
    readonly defaultValue: string;
    readonly description?: string;
  }[];
}

/** The lifecycle policy of unified groups. */
export interface GroupLifecyclePolicy extends GroupLifecyclePolicyProperties {
  readonly id: string;
  readonly groupLifetimeInDays: number;
  /** Which unified groups expire; `Selected` are those that were added to the policy. */
  readonly managedGroupTypes: 'All' | 'Selected' | 'None';
}

/** The evaluation of a membership rule for one object. */
export interface MembershipEvaluation {
  readonly membershipRule: string;
  /** Whether the rule matches the object. */
  readonly membershipRuleEvaluationResult: boolean;
  readonly membershipRuleEvaluationDetails: MembershipEvaluationDetails;
}

/** One part of a rule with its result. */
export interface MembershipEvaluationDetails {
  /** The text of this part. */
  readonly expression: string;
  readonly expressionResult: boolean;
  /** What a comparison compares; null for `and`, `or` and `not`. */
  readonly propertyToEvaluate?: {
    readonly propertyName: string;
    readonly propertyValue: string | null;
  } | null;
  /** The operands of `and`, `or` or `not`; otherwise empty. */
  readonly expressionEvaluationDetails: readonly MembershipEvaluationDetails[];
}
