import { Optional, Unsafe } from '@sinclair/typebox';
import { groupLimits as limits } from './limits.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, guid, list, named, reference, text, whole, words } from '../schema/shapes.js';

const dynamicMembershipSchema = closed(
  {
    rule: text('The rule, such as `user.department -eq "Retail"`.', { minLength: 1, ...limits.membershipRule }),
    processing: Optional(words(limits.membershipRuleProcessingState, { description: 'Whether the rule is applied.', default: 'On' })),
  },
  { description: 'Members by a rule over their properties, in place of `members`.' },
);

const labelSchema = closed({
  labelId: guid('The id of a sensitivity label.'),
  displayName: Optional(text('The name of the label.')),
});

const licenseSchema = closed({
  skuId: guid('The id of a subscription.'),
  disabledPlans: Optional(list(guid('The id of a service plan.'), { description: 'Plans of the subscription that members do not get.' })),
});

const senders = (description: string) =>
  Optional(
    list(reference(['principals', 'groups'], 'A user or group: a principal, a group of this stack, or an object id.'), { description }),
  );

/** Properties of a group that are kept outside the main store (spec 001, "Propagation rule"). */
const mailboxProperties = {
  accessType: Optional(words(['none', 'private', 'secret', 'public'], { description: 'How the group is accessed.' })),
  allowExternalSenders: Optional(flag('Whether people outside the organization may send to the group.', { default: false })),
  autoSubscribeNewMembers: Optional(flag('Whether new members get the mail of the group.', { default: false })),
  hideFromAddressLists: Optional(flag('Whether address lists leave the group out.', { default: false })),
  hideFromOutlookClients: Optional(flag('Whether mail clients leave the group out.', { default: false })),
  isSubscribedByMail: Optional(flag('Whether the caller gets the mail of the group.', { default: true })),
  isFavorite: Optional(flag("Whether the group is one of the caller's favourites.")),
};

/** What may be declared of a group (spec 001, "Group properties" and "Group relationships"). */
export const groupSchema = closed(
  {
    kind: Optional(
      words(['security', 'unified'], { description: 'The kind of group; or give groupTypes, mailEnabled and securityEnabled.' }),
    ),
    displayName: text('The name of the group.', limits.displayName),
    description: Optional(text('What the group is for.')),
    mailEnabled: Optional(flag('Whether the group has mail. Follows from `kind`.')),
    securityEnabled: Optional(flag('Whether the group controls access. A unified group may set it.')),
    mailNickname: Optional(text('The mail alias: at most 64 ASCII characters. Default: the name in this file.', limits.mailNickname)),
    groupTypes: Optional(
      list(words(limits.groupTypes), { description: 'The types of the group. Follow from `kind` and `dynamicMembership`.' }),
    ),
    visibility: Optional(words(limits.visibility, { description: 'Who sees the group and its members, and who may join.' })),
    classification: Optional(text("One of the words of the organization's ClassificationList setting.", { minLength: 1 })),
    membershipRule: Optional(
      text('The rule of dynamic membership; or give `dynamicMembership`.', { minLength: 1, ...limits.membershipRule }),
    ),
    membershipRuleProcessingState: Optional(words(limits.membershipRuleProcessingState, { description: 'Whether the rule is applied.' })),
    dynamicMembership: Optional(dynamicMembershipSchema),
    isAssignableToRole: Optional(flag('Whether the group can hold directory roles. Only at creation.', { default: false })),
    assignedLabels: Optional(list(labelSchema, { description: 'Sensitivity labels.' })),
    preferredDataLocation: Optional(text('Where the data of the group is kept.', { minLength: 1 })),
    preferredLanguage: Optional(text('An ISO 639-1 code such as en-US.', { pattern: '^[a-z]{2}(-[A-Za-z]{2,4})*$' })),
    resourceBehaviorOptions: Optional(
      list(words(limits.resourceBehaviorOptions), { description: 'Behaviours of the group. Only at creation.' }),
    ),
    resourceProvisioningOptions: Optional(
      list(words(limits.resourceProvisioningOptions), { description: 'What is set up beside the group.' }),
    ),
    theme: Optional(words(limits.theme, { description: 'The colour theme.' })),
    uniqueName: Optional(text('An alternate key, which never changes.', { minLength: 1, maxLength: 128 })),
    ...mailboxProperties,
    owners: Optional(
      list(reference(['principals'], 'A user or service principal: a principal, or an object id.'), {
        description: 'Who manages the group: users and service principals. Two are recommended, 100 at most.',
        maxItems: limits.owners.maxItems,
      }),
    ),
    ownersManagedElsewhere: Optional(
      flag('Whether owners are managed outside this stack and left alone, in a group that has none, too.', { default: false }),
    ),
    members: Optional(
      list(reference(['principals', 'groups'], 'A principal, a group of this stack, or an object id.'), {
        description: 'Who belongs to the group.',
      }),
    ),
    membersManagedElsewhere: Optional(flag('Whether members are managed outside this stack and left alone.', { default: false })),
    acceptedSenders: senders('Only these may post, if there are any.'),
    rejectedSenders: senders('These may not post.'),
    licenses: Optional(list(licenseSchema, { description: 'Licences that pass to all members.' })),
    settings: Optional(
      named(
        Unsafe<Record<string, string | number | boolean>>({
          type: 'object',
          additionalProperties: { type: ['string', 'number', 'boolean'] },
        }),
        { names: '^[A-Za-z.]+$', description: 'Settings by template, such as `Group.Unified.Guest: { AllowToAddGuests: false }`.' },
      ),
    ),
    lifecycle: Optional(
      closed(
        { renewable: Optional(flag("Whether the tenant's expiration policy covers the group.", { default: true })) },
        { description: 'The expiration of a unified group.' },
      ),
    ),
    preventDuplicateNames: Optional(flag('Whether a second group of the same name is refused.', { default: false })),
  },
  { description: 'A group of the directory.' },
);

/** The expiration policy of the tenant's unified groups. */
export const groupLifecyclePolicySchema = closed(
  {
    groupLifetimeInDays: whole('After how many days without renewal a group is deleted.', { minimum: 30 }),
    managedGroupTypes: words(['All', 'Selected', 'None'], { description: 'Which unified groups expire.' }),
    alternateNotificationEmails: Optional(
      list(text('A mail address.', { pattern: '^[^@\\s;]+@[^@\\s;]+$' }), { description: 'Who hears of groups without owners.' }),
    ),
  },
  { description: "The expiration policy of the tenant's unified groups." },
);

/** A group of the directory. */
export type GroupProps = Declared<typeof groupSchema>;
/** The expiration policy of the tenant's unified groups. */
export type GroupLifecyclePolicyProps = Declared<typeof groupLifecyclePolicySchema>;
