import { kind } from '../schema/kind.js';
import { type DeclarationOf, list, text, integer, enumOf } from '../schema/schema-builders.js';

/** The expiration policy of the tenant's unified groups: a tenant has one. */
export const groupLifecyclePolicy = kind(() => ({
  meaning: "The expiration policy of the tenant's unified groups.",
  terraform: { resourceTypes: ['castellan_group_lifecycle_policy'] },
  required: ['groupLifetimeInDays', 'managedGroupTypes'],
  properties: {
    groupLifetimeInDays: integer('After how many days without renewal a group is deleted.', {
      minimum: 30,
      terraform: 'group_lifetime_in_days',
    }),
    managedGroupTypes: enumOf(['All', 'Selected', 'None'], {
      description: 'Which unified groups expire.',
      terraform: 'managed_group_types',
    }),
    alternateNotificationEmails: list(
      text('A mail address.', {
        pattern: '^[^@\\s;]+@[^@\\s;]+$',
        patternDescription: 'the form of a mail address',
        alsoAcceptedByApi: {
          pattern: '^\\s*[^@\\s;]+@[^@\\s;]+\\s*$',
          because: 'other clients write a blank after the semicolon',
        },
      }),
      {
        description: 'The recipients of notifications about groups without owners.',
        separator: ';',
        terraform: 'alternate_notification_emails',
      },
    ),
  },
  /** The most groups of a policy for `Selected`. */
  limits: { selectedGroups: 500 },
}));

/** The expiration policy of the tenant's unified groups. */
export type GroupLifecyclePolicyProps = DeclarationOf<typeof groupLifecyclePolicy.schema>;
