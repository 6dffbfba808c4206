import type { GroupLifecyclePolicyProperties, GroupProperties } from '../../generated/objects.js';
import type { DirectoryObject } from './directory-object.js';

/** A group (Directory rules, "Group properties"). Properties marked `select` there are present only when selected. */
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
  readonly skuId: string;
  readonly disabledPlans?: readonly string[];
}

/** What creating a group takes: the required four, and any other settable property. */
export type GroupDraft = Pick<Group, 'displayName' | 'mailEnabled' | 'mailNickname' | 'securityEnabled'> &
  Partial<Group> & {
    /** Addresses of directory objects, at most 20 with the members together. */
    readonly 'owners@odata.bind'?: readonly string[];
    readonly 'members@odata.bind'?: readonly string[];
  };

/** A group setting: a template's values, all of them, as text. */
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
    readonly type: string;
    readonly defaultValue: string;
    readonly description?: string;
  }[];
}

/** The policy by which unified groups expire. */
export interface GroupLifecyclePolicy extends GroupLifecyclePolicyProperties {
  readonly id: string;
  readonly groupLifetimeInDays: number;
  readonly managedGroupTypes: 'All' | 'Selected' | 'None';
}

/** How a membership rule came out for one object. */
export interface MembershipEvaluation {
  readonly membershipRule: string;
  readonly membershipRuleEvaluationResult: boolean;
  readonly membershipRuleEvaluationDetails: MembershipEvaluationDetails;
}

/** One part of a rule with its outcome. */
export interface MembershipEvaluationDetails {
  readonly expression: string;
  readonly expressionResult: boolean;
  readonly propertyToEvaluate?: { readonly propertyName: string; readonly propertyValue: string | null } | null;
  readonly expressionEvaluationDetails: readonly MembershipEvaluationDetails[];
}

/** An administrative unit. */
export interface AdministrativeUnit extends DirectoryObject {
  readonly displayName: string;
  readonly description?: string | null;
  readonly visibility?: string | null;
}

/** A role that one principal holds over one administrative unit. */
export interface ScopedRoleMembership {
  readonly id: string;
  readonly administrativeUnitId: string;
  readonly roleId: string;
  readonly roleMemberInfo: { readonly id: string; readonly displayName?: string | null };
}

/** A directory role; templates have the same shape without `roleTemplateId`. */
export interface DirectoryRole extends DirectoryObject {
  readonly displayName: string;
  readonly description?: string | null;
  readonly roleTemplateId?: string;
}

/** A built-in or custom role of role management. */
export interface RoleDefinition {
  readonly id: string;
  readonly displayName: string;
  readonly description?: string | null;
  readonly isBuiltIn?: boolean;
  readonly isEnabled?: boolean;
  readonly templateId?: string | null;
  readonly version?: string | null;
  readonly rolePermissions: readonly { readonly allowedResourceActions: readonly string[]; readonly condition?: string | null }[];
}

/** A role definition given to a principal over a scope: `/` or `/<object id>`. */
export interface RoleAssignment {
  readonly id: string;
  readonly roleDefinitionId: string;
  readonly principalId: string;
  readonly directoryScopeId: string;
}
