import { Unsafe } from '@sinclair/typebox';
import { metadataOf } from '../schema/property-metadata.js';
import { kind } from '../schema/kind.js';
import {
  boolean,
  closedObject,
  type DeclarationOf,
  enumOf,
  list,
  recordOf,
  reference,
  text,
} from '../schema/schema-builders.js';
import {
  groupPropertiesAttribute,
  dynamicMembership,
  label,
  license,
  storedWithMailbox,
  membershipRuleLimits,
  processingStates,
  senders,
} from './property-schemas.js';
import { languageMistake } from './locations-and-languages.js';
import { notDeclared, onlyInApi, setByService } from './service-properties.js';

/** A group of the directory (Directory rules, "Group properties" and "Group relationships"). */
export const group = kind(() => ({
  meaning: 'A group of the directory.',
  terraform: {
    resourceTypes: ['azuread_group', 'azuread_group_without_members'],
    additionalResourceTypes: ['castellan_group_properties', 'castellan_group_settings'],
  },
  deletionLoses: 'every access granted to the group',
  required: ['displayName'],
  properties: {
    kind: enumOf(['security', 'unified'], {
      description: 'The kind of group; or give groupTypes, mailEnabled and securityEnabled.',
      notInApi: true,
      replacementLoses: 'every access granted to the group',
    }),
    displayName: text('The name of the group.', {
      minLength: 1,
      maxLength: 256,
      nonNullable: true,
      terraform: 'display_name',
    }),
    description: text('What the group is for.', { terraform: 'description' }),
    mailEnabled: boolean('Whether the group has mail. Follows from `kind`.', {
      nonNullable: true,
      terraform: 'mail_enabled',
    }),
    securityEnabled: boolean('Whether the group controls access. A unified group may set it.', {
      nonNullable: true,
      terraform: 'security_enabled',
    }),
    mailNickname: text(
      'The mail alias: at most 64 ASCII characters. Default: the name in this file.',
      {
        minLength: 1,
        maxLength: 64,
        pattern: "^[\\u0000-\\u001f!#-'*+\\-./0-9=?A-Z\\^_`a-z{|}~$%&\\u007f]+$",
        patternDescription: 'only ASCII characters without @ ( ) \\ [ ] " ; : < > , and space',
        nonNullable: true,
        terraform: 'mail_nickname',
        replacementLoses: 'every access granted to the group',
      },
    ),
    groupTypes: list(enumOf(['Unified', 'DynamicMembership']), {
      description: 'The types of the group. Follow from `kind` and `dynamicMembership`.',
      nonNullable: true,
      terraform: 'types',
    }),
    visibility: enumOf(['Private', 'Public', 'HiddenMembership'], {
      description: 'Who can see the group and its members, and who may join.',
      terraform: { at: 'visibility', valueMap: { HiddenMembership: 'Hiddenmembership' } },
      alsoAcceptedByApi: {
        values: ['Hiddenmembership'],
        because: 'the official Terraform provider knows no other spelling',
      },
    }),
    classification: text("One of the words of the organization's ClassificationList setting.", {
      minLength: 1,
      ...groupPropertiesAttribute('classification'),
    }),
    membershipRule: text('The rule of dynamic membership; or give `dynamicMembership`.', {
      ...membershipRuleLimits,
      alsoAcceptedByApi: {
        values: [''],
        because: 'clients clear the rule of a group that becomes static',
      },
      terraform: 'dynamic_membership.0.rule',
    }),
    membershipRuleProcessingState: enumOf(processingStates, {
      description: 'Whether the rule is applied.',
      terraform: { at: 'dynamic_membership.0.enabled', valueMap: { On: true, Paused: false } },
    }),
    dynamicMembership: dynamicMembership(),
    isAssignableToRole: boolean('Whether the group can hold directory roles. Only at creation.', {
      default: false,
      terraform: 'assignable_to_role',
      createOnly: true,
    }),
    assignedLabels: list(label(), {
      description: 'Sensitivity labels.',
      returned: 'select',
      ...groupPropertiesAttribute('assigned_label_ids'),
    }),
    preferredDataLocation: text(
      "The location of the group's data: three capital letters, such as EUR.",
      {
        pattern: '^[A-Z]{3}$',
        patternDescription: 'three capital letters, such as EUR',
        ...groupPropertiesAttribute('preferred_data_location'),
      },
    ),
    preferredLanguage: text('An ISO 639-1 code such as en-US.', {
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      patternDescription: 'the form of an ISO 639-1 code such as en or en-US',
      validate: languageMistake,
      ...groupPropertiesAttribute('preferred_language'),
    }),
    resourceBehaviorOptions: list(
      enumOf([
        'AllowOnlyMembersToPost',
        'CalendarMemberReadOnly',
        'ConnectorsDisabled',
        'HideGroupInOutlook',
        'SkipExchangeInstantOn',
        'SubscribeMembersToCalendarEventsDisabled',
        'SubscribeNewGroupMembers',
        'WelcomeEmailDisabled',
      ]),
      {
        description: 'Behaviours of the group. Only at creation.',
        terraform: 'behaviors',
        createOnly: true,
        replacementLoses: 'the mail of the group and every access granted to it',
      },
    ),
    resourceProvisioningOptions: list(enumOf(['Team']), {
      description: 'What is provisioned with the group.',
      terraform: 'provisioning_options',
      replacementLoses: 'the mail of the group and every access granted to it',
    }),
    theme: enumOf(['Teal', 'Purple', 'Green', 'Blue', 'Pink', 'Orange', 'Red'], {
      description: 'The colour theme.',
      terraform: 'theme',
    }),
    uniqueName: text('An alternate key, which cannot change.', {
      minLength: 1,
      maxLength: 128,
      createOnly: true,
      ...groupPropertiesAttribute('unique_name'),
    }),
    accessType: enumOf(['none', 'private', 'secret', 'public'], {
      description: 'The access type of the group.',
      valueWhenAbsent: 'none',
      ...storedWithMailbox,
      ...groupPropertiesAttribute('access_type'),
    }),
    allowExternalSenders: boolean(
      'Whether people outside the organization may send to the group.',
      {
        default: false,
        terraform: 'external_senders_allowed',
        ...storedWithMailbox,
      },
    ),
    autoSubscribeNewMembers: boolean('Whether new members receive the mail of the group.', {
      default: false,
      terraform: 'auto_subscribe_new_members',
      ...storedWithMailbox,
    }),
    hideFromAddressLists: boolean('Whether address lists omit the group.', {
      default: false,
      terraform: 'hide_from_address_lists',
      ...storedWithMailbox,
    }),
    hideFromOutlookClients: boolean('Whether mail clients omit the group.', {
      default: false,
      terraform: 'hide_from_outlook_clients',
      ...storedWithMailbox,
    }),
    isSubscribedByMail: boolean('Whether the caller receives the mail of the group.', {
      default: true,
      ...storedWithMailbox,
      ...groupPropertiesAttribute('subscribed_by_mail'),
    }),
    isFavorite: boolean("Whether the group is one of the caller's favourites.", {
      valueWhenAbsent: false,
      ...storedWithMailbox,
      ...groupPropertiesAttribute('favorite'),
    }),
    owners: list(
      reference(['principals'], 'A user or service principal: a principal, or an object id.'),
      {
        description:
          'Who manages the group: users and service principals. Two are recommended, 100 at most.',
        maxItems: 100,
        terraform: 'owners',
        separateRequest: true,
      },
    ),
    ownersManagedElsewhere: boolean(
      'Whether owners are managed outside this stack and not changed, even in a group without owners.',
      {
        default: false,
        notInApi: true,
      },
    ),
    members: list(
      reference(['principals', 'groups'], 'A principal, a group of this stack, or an object id.'),
      {
        description: 'Who belongs to the group.',
        terraform: 'members',
        separateRequest: true,
      },
    ),
    membersManagedElsewhere: boolean(
      'Whether members are managed outside this stack and not changed.',
      {
        default: false,
        notInApi: true,
        replacementLoses: 'every access granted to the group',
      },
    ),
    acceptedSenders: senders(
      'The only senders who may post, if there are any.',
      'accepted_senders',
    ),
    rejectedSenders: senders('Senders who may not post.', 'rejected_senders'),
    licenses: list(license(), {
      description: 'Licences that all members get.',
      api: 'assignedLicenses',
      separateRequest: true,
      ...groupPropertiesAttribute('assigned_licenses'),
    }),
    settings: recordOf(
      Unsafe<Record<string, string | number | boolean>>({
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      }),
      {
        namePattern: '^[A-Za-z.]+$',
        patternDescription: 'only letters and dots',
        description:
          'Settings by template, such as `Group.Unified.Guest: { AllowToAddGuests: false }`.',
        separateRequest: true,
      },
    ),
    expirationPolicy: closedObject(
      {
        renewable: boolean("Whether the tenant's expiration policy covers the group.", {
          default: true,
        }),
      },
      {
        description: 'How the expiration policy of the tenant treats a unified group.',
        notInApi: true,
      },
    ),
    preventDuplicateNames: boolean('Whether a second group of the same name is refused.', {
      default: false,
      notInApi: true,
      terraform: 'prevent_duplicate_names',
    }),
  },
  setByService: setByService(),
  notDeclared: notDeclared(),
  onlyInApi: onlyInApi(),
  limits: {
    /** With fewer owners, a group can end up without any. */
    recommendedOwners: 2,
    /** The most `@odata.bind` references in a request. */
    bindsPerRequest: 20,
    /** The most groups in a `memberOf` rule. */
    membershipRuleSources: 50,
    /** The most groups of these kinds in a tenant. */
    perTenant: { roleAssignable: 500, dynamic: 15_000, memberOfRules: 500 },
    /** How long a deleted group can be restored. */
    deletedForDays: 30,
  },
}));

/** A group of the directory. */
export type GroupProps = DeclarationOf<typeof group.schema>;

/**
 * The properties outside the main store: a request must not set them together with others, and no
 * delta contains them (Directory rules, "Propagation rule").
 */
export const propertiesOutsideMainStore: readonly string[] = [
  ...Object.entries(group.properties).flatMap(([name, property]) =>
    metadataOf(property).outsideMainStore === true ? [name] : [],
  ),
  ...group.notDeclared,
];
