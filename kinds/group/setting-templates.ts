/** One setting of a template, with its type and default: a settingTemplateValue of the API. */
export interface SettingTemplateValue {
  readonly name: string;
  readonly type: 'System.Boolean' | 'System.String' | 'System.Guid';
  /** As text, whatever the type; empty for no value. */
  readonly defaultValue: string;
  readonly description: string;
}

/** A template that group settings are made from. */
export interface SettingTemplate {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  /** Whether settings of it belong to the tenant or to one group. */
  readonly scope: 'tenant' | 'group';
  readonly values: readonly SettingTemplateValue[];
}

const setting = (
  name: string,
  type: 'Boolean' | 'String' | 'Guid',
  defaultValue: string,
  description: string,
): SettingTemplateValue => ({
  name,
  type: `System.${type}`,
  defaultValue,
  description,
});

/**
 * The templates of group settings and the settings of each (Directory rules, "What the service
 * does" 10 and "Group operations"): the only place that states them. Ids are public constants where
 * the cloud has published them.
 */
export const settingTemplates: readonly SettingTemplate[] = [
  {
    id: '62375ab9-6b52-47ed-826b-58e47e0e304b',
    displayName: 'Group.Unified',
    description: 'Settings that apply to all unified groups.',
    scope: 'tenant',
    values: [
      setting(
        'EnableMIPLabels',
        'Boolean',
        'false',
        'Whether sensitivity labels can be applied to groups.',
      ),
      setting(
        'CustomBlockedWordsList',
        'String',
        '',
        'Comma-separated words that names of groups must not contain.',
      ),
      setting('EnableMSStandardBlockedWords', 'Boolean', 'false', 'Not used any more.'),
      setting(
        'ClassificationDescriptions',
        'String',
        '',
        'Comma-separated descriptions of the classifications, at most 300 characters.',
      ),
      setting(
        'DefaultClassification',
        'String',
        '',
        'The classification of groups that name none.',
      ),
      setting(
        'PrefixSuffixNamingRequirement',
        'String',
        '',
        'The naming policy, such as GRP_[GroupName]_[Department].',
      ),
      setting('AllowGuestsToBeGroupOwner', 'Boolean', 'false', 'Whether guests may own groups.'),
      setting(
        'AllowGuestsToAccessGroups',
        'Boolean',
        'true',
        'Whether guests may access the content of groups.',
      ),
      setting('GuestUsageGuidelinesUrl', 'String', '', 'Where guests find the usage guidelines.'),
      setting(
        'GroupCreationAllowedGroupId',
        'Guid',
        '',
        'The group whose members may create groups when others may not.',
      ),
      setting('AllowToAddGuests', 'Boolean', 'true', 'Whether guests may be added.'),
      setting('UsageGuidelinesUrl', 'String', '', 'Where people find the usage guidelines.'),
      setting(
        'ClassificationList',
        'String',
        '',
        'Comma-separated classifications that groups can have.',
      ),
      setting(
        'EnableGroupCreation',
        'Boolean',
        'true',
        'Whether people without a role may create groups.',
      ),
      setting(
        'NewUnifiedGroupWritebackDefault',
        'Boolean',
        'true',
        'Whether new groups are written back to an on-premises directory.',
      ),
    ],
  },
  {
    id: '08d542b9-071f-4e16-94b0-74abb372e3d9',
    displayName: 'Group.Unified.Guest',
    description: 'Settings of one unified group for guests.',
    scope: 'group',
    values: [
      setting('AllowToAddGuests', 'Boolean', 'true', 'Whether guests may be added to this group.'),
    ],
  },
  {
    id: '3c1f8a52-5d0e-4a0b-9e0c-6f5e0d2b7a41',
    displayName: 'Group.Security',
    description: 'Settings that apply to all security groups.',
    scope: 'tenant',
    values: [
      setting(
        'EnableGroupCreation',
        'Boolean',
        'true',
        'Whether people without a role may create security groups.',
      ),
    ],
  },
  {
    id: '9b7d2c64-18f3-4c55-8d1a-2e4b6a9c0f73',
    displayName: 'Group.Security.Policies',
    description: 'Settings of one security group.',
    scope: 'group',
    values: [
      setting('AllowToAddGuests', 'Boolean', 'true', 'Whether guests may be added to this group.'),
    ],
  },
];
