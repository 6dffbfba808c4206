import { closedObject, enumOf, guid, list, reference, text } from '../schema/schema-builders.js';

/** Whether the rule of a dynamic group is applied. */
export const processingStates = ['On', 'Paused'] as const;

/** The limits of a membership rule, in every place that declares one. */
export const membershipRuleLimits = { minLength: 1, maxLength: 3072 } as const;

/** Members selected by a rule. */
export const dynamicMembership = () =>
  closedObject(
    {
      rule: text('The rule, such as `user.department -eq "Retail"`.', {
        ...membershipRuleLimits,
        api: 'membershipRule',
      }),
      processing: enumOf(processingStates, {
        description: 'Whether the rule is applied.',
        default: 'On',
        api: 'membershipRuleProcessingState',
      }),
    },
    {
      description: 'Members selected by a rule on their properties, instead of `members`.',
      required: ['rule'],
      notInApi: true,
      replacementLoses: 'every access granted to the group',
    },
  );

/** A sensitivity label of a group. */
export const label = () =>
  closedObject(
    {
      labelId: guid('The id of a sensitivity label.', { terraform: '.' }),
      displayName: text('The name of the label.'),
    },
    { required: ['labelId'] },
  );

/** A licence that members of a group get. */
export const license = () =>
  closedObject(
    {
      skuId: guid('The id of a subscription.', { terraform: 'sku_id' }),
      disabledPlans: list(guid('The id of a service plan.'), {
        description: 'Plans of the subscription that members do not get.',
        terraform: 'disabled_plans',
      }),
    },
    { required: ['skuId'] },
  );

/** A list of senders of a group. @param attribute its name in Terraform */
export const senders = (description: string, attribute: string) =>
  list(
    reference(
      ['principals', 'groups'],
      'A user or group: a principal, a group of this stack, or an object id.',
    ),
    {
      description,
      terraform: { castellan_group_properties: attribute },
      separateRequest: true,
    },
  );

/** A property of castellan's own resource beside the group. */
export const groupPropertiesAttribute = (attribute: string) =>
  ({ terraform: { castellan_group_properties: attribute } }) as const;
/** A property that is stored with the mailbox. */
export const storedWithMailbox = { outsideMainStore: true } as const;
