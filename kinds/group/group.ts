import { Optional, Unsafe } from '@sinclair/typebox';
import { factsOf } from '../schema/facts.js';
import { kind } from '../schema/kind.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, guid, list, named, reference, text, words } from '../schema/shapes.js';
import { languageMistake } from './language.js';

const processingStates = ['On', 'Paused'] as const;

/** The rule of dynamic membership, wherever it is declared. */
const membershipRuleLimits = { minLength: 1, maxLength: 3072 } as const;

const dynamicMembership = closed(
  {
    rule: text('The rule, such as `user.department -eq "Retail"`.', { ...membershipRuleLimits, api: 'membershipRule' }),
    processing: Optional(
      words(processingStates, { description: 'Whether the rule is applied.', default: 'On', api: 'membershipRuleProcessingState' }),
    ),
  },
  { description: 'Members by a rule over their properties, in place of `members`.' },
);

const label = closed({
  labelId: guid('The id of a sensitivity label.', { terraform: '.' }),
  displayName: Optional(text('The name of the label.')),
});

const license = closed({
  skuId: guid('The id of a subscription.', { terraform: 'sku_id' }),
  disabledPlans: Optional(
    list(guid('The id of a service plan.'), {
      description: 'Plans of the subscription that members do not get.',
      terraform: 'disabled_plans',
    }),
  ),
});

const senders = (description: string, attribute: string) =>
  Optional(
    list(reference(['principals', 'groups'], 'A user or group: a principal, a group of this stack, or an object id.'), {
      description,
      terraform: { castellan_group_properties: attribute },
      ownRequest: true,
    }),
  );

/** A property of castellan's own resource beside the group. */
const beside = (attribute: string) => ({ terraform: { castellan_group_properties: attribute } }) as const;
/** A property that is kept with the mailbox. */
const mailbox = { outsideStore: true } as const;

/** A group of the directory (Directory rules, "Group properties" and "Group relationships"). */
export const group = kind({
  meaning: 'A group of the directory.',
  terraform: {
    whole: ['azuread_group', 'azuread_group_without_members'],
    beside: ['castellan_group_properties', 'castellan_group_settings'],
  },
  properties: {
    kind: Optional(
      words(['security', 'unified'], {
        description: 'The kind of group; or give groupTypes, mailEnabled and securityEnabled.',
        replaces: 'every access granted to the group',
      }),
    ),
    displayName: text('The name of the group.', { minLength: 1, maxLength: 256, terraform: 'display_name' }),
    description: Optional(text('What the group is for.', { terraform: 'description' })),
    mailEnabled: Optional(flag('Whether the group has mail. Follows from `kind`.', { terraform: 'mail_enabled' })),
    securityEnabled: Optional(flag('Whether the group controls access. A unified group may set it.', { terraform: 'security_enabled' })),
    mailNickname: Optional(
      text('The mail alias: at most 64 ASCII characters. Default: the name in this file.', {
        minLength: 1,
        maxLength: 64,
        pattern: "^[\\u0000-\\u001f!#-'*+\\-./0-9=?A-Z\\^_`a-z{|}~$%&\\u007f]+$",
        form: 'only ASCII characters without @ ( ) \\ [ ] " ; : < > , and space',
        terraform: 'mail_nickname',
        replaces: 'every access granted to the group',
      }),
    ),
    groupTypes: Optional(
      list(words(['Unified', 'DynamicMembership']), {
        description: 'The types of the group. Follow from `kind` and `dynamicMembership`.',
        terraform: 'types',
      }),
    ),
    visibility: Optional(
      words(['Private', 'Public', 'HiddenMembership'], {
        description: 'Who sees the group and its members, and who may join.',
        terraform: { at: 'visibility', words: { HiddenMembership: 'Hiddenmembership' } },
        serviceTakes: { values: ['Hiddenmembership'], because: 'the official Terraform provider knows no other spelling' },
      }),
    ),
    classification: Optional(
      text("One of the words of the organization's ClassificationList setting.", { minLength: 1, ...beside('classification') }),
    ),
    membershipRule: Optional(
      text('The rule of dynamic membership; or give `dynamicMembership`.', {
        ...membershipRuleLimits,
        serviceTakes: { values: [''], because: 'clients clear the rule of a group that becomes static' },
        terraform: 'dynamic_membership.0.rule',
      }),
    ),
    membershipRuleProcessingState: Optional(
      words(processingStates, {
        description: 'Whether the rule is applied.',
        terraform: { at: 'dynamic_membership.0.enabled', words: { On: true, Paused: false } },
      }),
    ),
    dynamicMembership: Optional(dynamicMembership),
    isAssignableToRole: Optional(
      flag('Whether the group can hold directory roles. Only at creation.', {
        default: false,
        terraform: 'assignable_to_role',
        onlyAtCreation: true,
      }),
    ),
    assignedLabels: Optional(list(label, { description: 'Sensitivity labels.', ...beside('assigned_label_ids') })),
    preferredDataLocation: Optional(
      text('Where the data of the group is kept: three capital letters, such as EUR.', {
        pattern: '^[A-Z]{3}$',
        form: 'three capital letters, such as EUR',
        ...beside('preferred_data_location'),
      }),
    ),
    preferredLanguage: Optional(
      text('An ISO 639-1 code such as en-US.', {
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        form: 'the form of an ISO 639-1 code such as en or en-US',
        refuses: languageMistake,
        ...beside('preferred_language'),
      }),
    ),
    resourceBehaviorOptions: Optional(
      list(
        words([
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
          onlyAtCreation: true,
          replaces: 'the group with its mail and every access granted to it',
        },
      ),
    ),
    resourceProvisioningOptions: Optional(
      list(words(['Team']), {
        description: 'What is set up beside the group.',
        terraform: 'provisioning_options',
        replaces: 'the group with its mail and every access granted to it',
      }),
    ),
    theme: Optional(
      words(['Teal', 'Purple', 'Green', 'Blue', 'Pink', 'Orange', 'Red'], { description: 'The colour theme.', terraform: 'theme' }),
    ),
    uniqueName: Optional(
      text('An alternate key, which never changes.', { minLength: 1, maxLength: 128, onlyAtCreation: true, ...beside('unique_name') }),
    ),
    accessType: Optional(
      words(['none', 'private', 'secret', 'public'], { description: 'How the group is accessed.', ...mailbox, ...beside('access_type') }),
    ),
    allowExternalSenders: Optional(
      flag('Whether people outside the organization may send to the group.', {
        default: false,
        terraform: 'external_senders_allowed',
        ...mailbox,
      }),
    ),
    autoSubscribeNewMembers: Optional(
      flag('Whether new members get the mail of the group.', { default: false, terraform: 'auto_subscribe_new_members', ...mailbox }),
    ),
    hideFromAddressLists: Optional(
      flag('Whether address lists leave the group out.', { default: false, terraform: 'hide_from_address_lists', ...mailbox }),
    ),
    hideFromOutlookClients: Optional(
      flag('Whether mail clients leave the group out.', { default: false, terraform: 'hide_from_outlook_clients', ...mailbox }),
    ),
    isSubscribedByMail: Optional(
      flag('Whether the caller gets the mail of the group.', { default: true, ...mailbox, ...beside('subscribed_by_mail') }),
    ),
    isFavorite: Optional(flag("Whether the group is one of the caller's favourites.", { ...mailbox, ...beside('favorite') })),
    owners: Optional(
      list(reference(['principals'], 'A user or service principal: a principal, or an object id.'), {
        description: 'Who manages the group: users and service principals. Two are recommended, 100 at most.',
        maxItems: 100,
        terraform: 'owners',
        ownRequest: true,
      }),
    ),
    ownersManagedElsewhere: Optional(
      flag('Whether owners are managed outside this stack and left alone, in a group that has none, too.', { default: false }),
    ),
    members: Optional(
      list(reference(['principals', 'groups'], 'A principal, a group of this stack, or an object id.'), {
        description: 'Who belongs to the group.',
        terraform: 'members',
        ownRequest: true,
      }),
    ),
    membersManagedElsewhere: Optional(
      flag('Whether members are managed outside this stack and left alone.', {
        default: false,
        replaces: 'every access granted to the group',
      }),
    ),
    acceptedSenders: senders('Only these may post, if there are any.', 'accepted_senders'),
    rejectedSenders: senders('These may not post.', 'rejected_senders'),
    licenses: Optional(
      list(license, {
        description: 'Licences that pass to all members.',
        api: 'assignedLicenses',
        ownRequest: true,
        ...beside('assigned_licenses'),
      }),
    ),
    settings: Optional(
      named(
        Unsafe<Record<string, string | number | boolean>>({
          type: 'object',
          additionalProperties: { type: ['string', 'number', 'boolean'] },
        }),
        {
          names: '^[A-Za-z.]+$',
          description: 'Settings by template, such as `Group.Unified.Guest: { AllowToAddGuests: false }`.',
          ownRequest: true,
        },
      ),
    ),
    lifecycle: Optional(
      closed(
        { renewable: Optional(flag("Whether the tenant's expiration policy covers the group.", { default: true })) },
        { description: 'The expiration of a unified group.' },
      ),
    ),
    preventDuplicateNames: Optional(
      flag('Whether a second group of the same name is refused.', { default: false, terraform: 'prevent_duplicate_names' }),
    ),
  },
  setByService: {
    id: 'The object id.',
    mail: 'The mail address, made from the mail nickname.',
    createdDateTime: 'When the group was created.',
    deletedDateTime: 'When the group was deleted; it can be restored for 30 days.',
    expirationDateTime: "When a unified group expires by the tenant's policy.",
    renewedDateTime: 'When the group was last renewed; only the renew action changes it.',
    assignedLicenses: 'The licences that `licenses` gave.',
    hasMembersWithLicenseErrors: 'Whether members lack a licence for some reason; for filters only.',
    licenseProcessingState: 'How far the change of licences has come.',
    isManagementRestricted: 'Whether a restricted administrative unit holds the group.',
    onPremisesDomainName: 'Of a group that is synchronized from another directory: its domain.',
    onPremisesNetBiosName: 'The same in its short form.',
    onPremisesLastSyncDateTime: 'When the group was last synchronized.',
    onPremisesProvisioningErrors: 'What went wrong then.',
    onPremisesSamAccountName: 'The account name over there.',
    onPremisesSecurityIdentifier: 'The security identifier over there.',
    onPremisesSyncEnabled: 'Whether the group is synchronized.',
    proxyAddresses: 'All mail addresses.',
    securityIdentifier: 'The security identifier.',
    serviceProvisioningErrors: 'What other services could not set up.',
  },
  notDeclared: {
    cloudLicensing: 'Licensing of the group by the cloud itself.',
    isArchived: "Whether the group's team is read-only; only the team's archive and unarchive operations change it.",
    membershipRuleProcessingStatus: 'How far the processing of the rule has come.',
    unseenConversationsCount: 'How many conversations the caller has not seen.',
    unseenCount: 'The same, under its other name.',
    unseenMessagesCount: 'How many messages the caller has not seen.',
  },
  limits: {
    /** With fewer owners a group may be left without any. */
    recommendedOwners: 2,
    bindsPerRequest: 20,
    /** The groups that a `memberOf` rule may name. */
    membershipRuleSources: 50,
    /** How many groups of these kinds a tenant may have. */
    perTenant: { roleAssignable: 500, dynamic: 15_000, memberOfRules: 500 },
    deletedForDays: 30,
  },
});

/** A group of the directory. */
export type GroupProps = Declared<typeof group.schema>;

/** The properties that are kept outside the main store: never in one body with others, never in a delta (Directory rules, "Propagation rule"). */
export const outsideStoreProperties: readonly string[] = [
  ...Object.entries(group.properties).flatMap(([name, property]) => (factsOf(property).outsideStore === true ? [name] : [])),
  ...group.notDeclared,
];

/** What may be a member of what (Directory rules, the two membership tables). */
export const membershipMatrix = {
  user: { security: true, unified: true },
  securityGroup: { security: true, unified: false },
  unifiedGroup: { security: false, unified: false },
  device: { security: true, unified: false },
  servicePrincipal: { security: true, unified: false },
  contact: { security: true, unified: false },
} as const;
